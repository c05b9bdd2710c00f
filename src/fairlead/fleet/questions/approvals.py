"""What a bundle says about approvals: whether questions leave the machine, and who may answer which.

    approvals:
      summary: true
      minutes: 10
      people:
        - {name: ana, key: "ed25519:...", rules: ["packages/*"], machines: [m-4f2a91c07be3d855], off: true}
      webhook: {url: "https://...", kind: slack}

Without `people` nobody answers. A key counts only if it is also one of the role `approval`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from fairlead.fleet.bundles.roles import key_bytes, key_id
from fairlead.fleet.documents import NAME, Fields
from fairlead.model.value import Value

KINDS = ("slack", "teams", "json")
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_MINUTES = 10
_MOST_PEOPLE = 64


class Approver(Value):
    """`rules` are patterns of those that they may answer for; `machines` are their own, whose questions they
    may not answer. `off` lets them switch Fairlead off on a machine for a while, which no pattern does."""

    name: str
    key: str
    rules: tuple[str, ...] = ("*",)
    machines: tuple[str, ...] = ()
    off: bool = False

    @property
    def key_id(self) -> str:
        return key_id(self.key)

    def may_answer(self, rule: str) -> bool:
        return any(fnmatchcase(rule, pattern) for pattern in self.rules)


class Webhook(Value):
    """Where people are told of questions. The address is a secret: whoever has it can write there."""

    url: str
    kind: str = "json"

    @property
    def shown(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname or '?'}"

    def fault(self) -> str:
        """Why nothing is sent there; empty where it is."""
        parts = urlsplit(self.url)
        if self.kind not in KINDS:
            return f"{self.kind!r} is none of {', '.join(KINDS)}"
        if parts.scheme == "https" and parts.hostname:
            return ""
        if parts.scheme == "http" and parts.hostname in LOOPBACK:
            return ""
        return "it has to be https, or on this machine"


class ApprovalRules(Value):
    people: tuple[Approver, ...] = ()
    summary: bool = False
    """Whether what the call would do leaves the machine, without secrets."""
    minutes: int = _MINUTES
    webhook: Webhook | None = None

    def approver(self, keyid: str) -> Approver | None:
        return next((each for each in self.people if each.key_id == keyid), None)


def read_approvals(section: Mapping[str, object]) -> ApprovalRules:
    """Raises RefusedError. An empty section lets nobody answer."""
    fields = Fields(section, "approvals")
    rules = ApprovalRules(
        people=tuple(_people(fields)) if fields.has("people") else (),
        summary=fields.flag("summary") if fields.has("summary") else False,
        minutes=fields.number("minutes", low=1, high=60) if fields.has("minutes") else _MINUTES,
        webhook=_webhook(fields.below("webhook")) if fields.has("webhook") else None,
    )
    fields.finish()
    return rules


def _people(fields: Fields) -> Iterator[Approver]:
    for place, one in enumerate(fields.each("people")):
        if place >= _MOST_PEOPLE:
            raise fields.wrong("people", f"are more than {_MOST_PEOPLE}")
        key = one.text("key")
        try:
            key_bytes(key)
        except ValueError as error:
            raise one.wrong("key", str(error)) from error
        yield Approver(
            name=one.text("name", limit=64),
            key=key,
            rules=one.texts("rules") if one.has("rules") else ("*",),
            machines=_machines(one) if one.has("machines") else (),
            off=one.flag("off") if one.has("off") else False,
        )
        one.finish()


def _machines(fields: Fields) -> tuple[str, ...]:
    names = fields.texts("machines")
    if not all(NAME.fullmatch(name) for name in names):
        raise fields.wrong("machines", "must be names of machines")
    return names


def _webhook(fields: Fields) -> Webhook:
    webhook = Webhook(fields.text("url"), fields.text("kind") if fields.has("kind") else "json")
    fault = webhook.fault()
    if fault:
        raise fields.wrong("url", fault)
    fields.finish()
    return webhook
