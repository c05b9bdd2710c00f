"""Who may ask the listener, and what a request has to look like before anything reads it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hmac import compare_digest

from fairlead.doors.mcp.http import headers as names
from fairlead.doors.mcp.http.address import OURS
from fairlead.model.value import Value

TOKEN_HEADER = "x-fairlead-token"  # noqa: S105 - the name of a header
_NOT_PASSED = OURS | {
    "cookie",
    "expect",
    "forwarded",
    "keep-alive",
    "origin",
    "proxy-authorization",
    "proxy-connection",
    "referer",
    "te",
    "trailer",
    "upgrade",
    TOKEN_HEADER,
}
HEADER_MISMATCH = -32020


class Refusal(Exception):  # noqa: N818 - it is an answer
    def __init__(self, status: int, why: str, *, code: int = -32600, **headers: str) -> None:
        super().__init__(why)
        self.status = status
        self.code = code
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Rules(Value):
    hosts: frozenset[str]
    origins: frozenset[str]
    token: str


def new_token() -> str:
    return secrets.token_urlsafe(32)


def check(rules: Rules, headers: list[tuple[str, str]]) -> dict[str, str]:
    """The client's headers that are for the server. Raises Refusal. What says who asks is looked at first."""
    by_name: dict[str, str] = {}
    for name, value in headers:
        if name in by_name and name in ("host", "origin", "authorization", TOKEN_HEADER):
            raise Refusal(400, f"the header {name} comes twice")
        by_name[name] = value
    if by_name.get("host", "").lower() not in rules.hosts:
        raise Refusal(421, "this door is not at that Host")
    if "origin" in by_name and by_name["origin"].lower() not in rules.origins:
        raise Refusal(403, "pages of this Origin may not call: --allow-origin")
    return _authorized(rules, by_name)


def _authorized(rules: Rules, headers: Mapping[str, str]) -> dict[str, str]:
    """The door's own word may stand where the server's would, or beside it."""
    passed = {
        name: value
        for name, value in headers.items()
        if name not in _NOT_PASSED and not name.startswith(("mcp-", "sec-", "x-forwarded-"))
    }
    beside = headers.get(TOKEN_HEADER)
    scheme, _, word = passed.pop("authorization", "").partition(" ")
    if beside is not None:
        if not _same(beside, rules.token):
            raise _unauthorized()
        return {**passed, "authorization": f"{scheme} {word}"} if scheme else passed
    if scheme.lower() != "bearer" or not _same(word.strip(), rules.token):
        raise _unauthorized()
    return passed


def _same(given: str, token: str) -> bool:
    return compare_digest(given.encode("utf-8", "replace"), token.encode())


def _unauthorized() -> Refusal:
    why = "this door wants its own bearer, or X-Fairlead-Token beside the server's authorization"
    return Refusal(401, why, WWW_Authenticate='Bearer realm="fairlead"')


def check_headers_of(message: Mapping[str, object], headers: Mapping[str, str], places: names.Places) -> None:
    """Of the later era. What is sent on is made from the message alone, so the two have to agree here.
    Raises Refusal."""
    wanted = names.modern_headers(message, names.version_of(message), places)
    for name, value in wanted.items():
        given = headers.get(name.lower())
        needed = not name.startswith(names.PARAMETER)
        if given is None and not needed:
            continue
        if given is None or names.read_value(given) != names.read_value(value):
            raise Refusal(400, f"the header {name} does not say what the message says", code=HEADER_MISMATCH)
