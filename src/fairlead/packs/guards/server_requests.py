"""The middleware `guard-server-requests`: what an MCP server asks of the person, or of the user's model.

A server may ask: that is what sampling and elicitation are for. What it may not do is what a thief would: have
a password typed into a form, have the model tell keys, or read what other servers were told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Evidence, Outcome
from fairlead.packs.results.certain_keys import certain_keys
from fairlead.secrets.redact import mark
from fairlead.shell.lazy_pattern import lazy

KEYS = "servers/key-in-request"
ASKS = "servers/asks-for-secret"
CONTEXT = "servers/asks-for-context"
ADDRESS = "servers/open-address"
_MOST, _DEEPEST, _SHOWN = 1 << 18, 16, 160
_WORDS = (
    r"(?:pass(?:word|phrase|code|wd)s?|pwd|pin(?:[ _-]?(?:code|number))?|otp|one[ _-]?time[ _-]?(?:codes?|passwords?)"
    r"|2fa(?:[ _-]?codes?)?|mfa(?:[ _-]?codes?)?|(?:api|access|secret|private|signing|ssh|encryption)[ _-]?keys?"
    r"|(?:access|auth|api|bearer|refresh|session|personal|oauth|github|gitlab|npm|pypi|slack|bot)[ _-]?(?:access[ _-]?)?tokens?"
    r"|client[ _-]?secrets?|secret[ _-]?(?:values?|access)|credentials?|seed[ _-]?phrases?|recovery[ _-]?(?:codes?|phrases?)"
    r"|cvv|card[ _-]?numbers?|\.env\b|id_rsa|\.ssh\b|\.aws/credentials)"
)
_WANTED = lazy(
    r"\b(?:enter|type|provide|give|supply|paste|input|confirm|send|share|tell|submit|fill in|need|require|what(?:'s| is)"
    rf"|reveal|print|output|repeat|list|show|include|read|return|write out)\b[^.\n?!]{{0,80}}?(?<![A-Za-z0-9]){_WORDS}(?![A-Za-z])",
    re.IGNORECASE,
)
_BARE_WISH = lazy(
    rf"(?:^|[.!?:]\s|\n)\W*(?:(?:your|the|my|a)\s+)?(?:[\w-]+\s+){{0,3}}{_WORDS}\s*(?:[?:]|\W*$)",
    re.IGNORECASE,
)
"""`Your password?`, where it is all that is asked."""
_FIELD = lazy(rf"(?:^|[^a-z0-9]){_WORDS}(?:$|[^a-z0-9])", re.IGNORECASE)
_BARE = lazy(r"^(?:token|secret|key|jwt|bearer|auth|login[ _-]?data)$", re.IGNORECASE)
"""Names of fields that mean a secret where they stand alone."""
_HUMPS = lazy(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_SECRET = lazy(
    r"\b(?:max(?:imum)?|min|number of|count of|how many|budget)[ _-]?(?:\w+[ _-]){0,2}tokens?\b",
    re.IGNORECASE,
)
_SAFE_ADDRESS = lazy(
    r"https://[^/?#\\@\s]+(?:[/?#]|$)|http://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|$)",
    re.IGNORECASE,
)


def guard_server_requests(
    event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /
) -> Outcome | None:
    """Config: `except`, servers whose requests are not looked at."""
    server = str(event.payload.get("mcp_server_name") or "an MCP server")
    trusted = config.get("except")
    if isinstance(trusted, list | tuple) and server in trusted:
        return None
    objections = (
        _to_question(event, server) if event.name is EventName.ELICITATION else _to_sampling(event, server)
    )
    return max(objections, key=lambda outcome: outcome.decision, default=None)


def _to_question(event: Event, server: str) -> Iterator[Outcome]:
    """A form that asks for a secret is refused: the protocol itself forbids it, and a page of the server's own
    is the way. A person opens no page that others can read along."""
    said = event.payload
    texts = tuple(_texts(said.get("message")))
    yield from _keys(texts, server, "its question to the person")
    address = said.get("url")
    if isinstance(address, str) and address:
        if not _SAFE_ADDRESS.match(address):
            yield Outcome(
                Decision.ASK,
                f"{server} wants a page opened whose address is neither https nor of this machine, or hides its host",
                rule=ADDRESS,
                evidence=(Evidence(address[:_SHOWN], detail="the page"),),
            )
        return
    schema = said.get("requested_schema", said.get("requestedSchema"))
    found = _named_secret(schema) or (_wanted(texts, form=True) if _takes_words(schema) else "")
    if found:
        yield Outcome(
            Decision.BLOCK,
            f"{server} asks the person for a secret in a form, where the agent and the server can read it",
            rule=ASKS,
            evidence=(Evidence(found, detail="what it asks for"),),
            alternative="A server that needs a sign-in sends the person to a page of its own (an elicitation of mode `url`).",
        )


def _to_sampling(event: Event, server: str) -> Iterator[Outcome]:
    said = event.payload
    asked = tuple(_texts([said.get("messages"), said.get("system_prompt", said.get("systemPrompt"))]))
    yield from _keys(asked, server, "what it asks of the model")
    found = _wanted(asked)
    if found:
        yield Outcome(
            Decision.ASK,
            f"{server} asks the user's model for a secret",
            rule=ASKS,
            evidence=(Evidence(found, detail="what it asks for"),),
        )
    if said.get("include_context", said.get("includeContext")) == "allServers":
        yield Outcome(
            Decision.ASK,
            f"{server} wants the model to be shown what other servers were told",
            rule=CONTEXT,
            evidence=(Evidence("allServers", detail="includeContext"),),
        )


def _keys(texts: Sequence[str], server: str, where: str) -> Iterator[Outcome]:
    found = next((key for text in texts for key in certain_keys(text)), None)
    if found is not None:
        yield Outcome(
            Decision.ASK,
            f"{server} puts key material into {where}",
            rule=KEYS,
            evidence=(Evidence(mark(found.kind), detail=found.kind),),
        )


def _wanted(texts: Sequence[str], *, form: bool = False) -> str:
    for text in texts:
        words = _NO_SECRET.sub(" ", text)
        found = _WANTED.search(words) or (_BARE_WISH.search(words) if form else None)
        if found:
            return found[0][:_SHOWN]
    return ""


def _named_secret(schema: object) -> str:
    """The field of a form that takes a secret: by its name, its title, its description or its format."""
    fields = schema.get("properties") if isinstance(schema, Mapping) else None
    for name, field in fields.items() if isinstance(fields, Mapping) else ():
        told = field if isinstance(field, Mapping) else {}
        if told.get("type") == "boolean":
            continue
        if (
            told.get("format") == "password"
            or _is_secret(str(name))
            or _is_secret(str(told.get("title", "")))
        ):
            return str(name)[:_SHOWN]
        if _wanted(tuple(_texts(told.get("description")))):
            return str(name)[:_SHOWN]
    return ""


def _takes_words(schema: object) -> bool:
    """Whether a secret could be typed into the form: not where there is only something to choose."""
    fields = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(fields, Mapping):
        return True
    told = [field if isinstance(field, Mapping) else {} for field in fields.values()]
    return any(
        field.get("type") != "boolean" and not {"enum", "oneOf", "items"} & field.keys() for field in told
    )


def _is_secret(name: str) -> bool:
    words = _NO_SECRET.sub(" ", _HUMPS.sub("_", name))
    return bool(_FIELD.search(words) or _BARE.match(words.strip()))


def _texts(value: object, depth: int = _DEEPEST) -> Iterator[str]:
    """What is said, also in parts; letters of pictures are none."""
    if isinstance(value, str):
        yield value[:_MOST]
    elif depth and isinstance(value, Mapping):
        if value.get("type") not in ("image", "audio"):
            for item in value.values():
                yield from _texts(item, depth - 1)
    elif depth and isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, depth - 1)
