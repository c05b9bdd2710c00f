"""What its surroundings make a secret: the value of a name, a flag, a header.

A guard must not cry wolf, so `detect` asks whether a value looks like key material. A log must not leak, so
here whatever stands where a secret belongs is one, even `hunter2`. Names are found by plain search, and a
pattern is tried only there, with bounded repeats: the work is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from fairlead.secrets.detect import Finding, holds_any, lower

_WORDS = {
    "password": "password",
    "passwd": "password",
    "passphrase": "password",
    "passcode": "password",
    "_pass": "password",
    "_pwd": "password",
    "secret": "secret",
    "credential": "secret",
    "token": "token",
    "api_key": "key",
    "api-key": "key",
    "apikey": "key",
    "access_key": "key",
    "access-key": "key",
    "accesskey": "key",
    "private_key": "key",
    "private-key": "key",
    "privatekey": "key",
    "signing_key": "key",
    "encryption_key": "key",
    "account_key": "key",
    "accountkey": "key",
    "signature": "signature",
    "authorization": "authorization",
    "cookie": "cookie",
}
_HARMLESS_ENDINGS = frozenset(
    {
        "file",
        "path",
        "dir",
        "name",
        "url",
        "uri",
        "type",
        "count",
        "counts",
        "usage",
        "limit",
        "policy",
        "length",
        "id",
        "ids",
        "expiry",
        "expires",
        "ttl",
        "manager",
        "provider",
        "field",
        "label",
        "hint",
        "prompt",
        "version",
        "budget",
        "budgets",
        "required",
        "enabled",
        "stdin",
    }
)
_HARMLESS_BEGINNINGS = ("no", "export-")  # NOPASSWD of sudoers, --export-secret-keys of gpg
_HARMLESS_VALUES = frozenset(
    {
        "true",
        "false",
        "null",
        "none",
        "nil",
        "undefined",
        "str",
        "string",
        "bytes",
        "int",
        "bool",
        "any",
        "optional",
        "self",
        "yes",
        "no",
        "on",
        "off",
    }
)

_TAIL = r"(?P<tail>[A-Za-z0-9_.-]{0,32})"
_SEPARATOR = r"\\{0,3}[\"'\]]{0,2}[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}"
_SPACE = r"[\"']?[ \t]{1,4}"
_VALUE = (
    r"(?:\\{1,3}[\"'](?P<escaped>[^\"'\\\r\n]{0,8192})"
    r"|\$?\"(?P<double>(?:[^\"\\\r\n]|\\.){0,8192})"
    r"|\$?'(?P<single>[^'\r\n]{0,8192})"
    r"|`(?P<back>[^`\r\n]{0,8192})"
    r"|(?P<bare>[^\s\"'`;|&<>,(){}\\]{1,8192}+)(?!\())"
)
_WORD = r"[\"']?(?P<secret>(?<=')[^'\n]{1,500}|(?<=\")[^\"\n]{1,500}|[^\s\"']{1,500})"
_SCHEME = r"^(?i:bearer|basic|token|digest|apikey)[ \t]{1,4}"
_LINE = r"[\"']?(?P<bare>[^\r\n\"']{1,8192})"
_ASSIGNED = _TAIL + _SEPARATOR + _VALUE
_GIVEN = _TAIL + _SPACE + r"(?!-)" + _VALUE
_SENT = _TAIL + _SEPARATOR + _LINE

_Shape = tuple[tuple[str, ...], str, str, str]
"""Hints, what any match holds beside one of them, the pattern, and the kind of secret that it finds."""


def context_hints() -> Iterator[tuple[str, str]]:
    """In a text whose small letters hold none of these `find_in_context` finds nothing."""
    yield from ((word, "") for word in _WORDS)
    for hints, needs, _, _ in _SHAPES:
        yield from ((hint, needs) for hint in hints)


def find_in_context(text: str, hints: tuple[str, ...]) -> Iterator[Finding]:
    """Everything in `text` that its place makes a secret, in no order; findings may overlap.

    `hints` has all that occur in the text of those that a search for `context_hints` is made of.
    """
    lowered = lower(text)
    words, shapes = _sought_with(hints)
    for word, kind in words:
        at = lowered.find(word)
        while at >= 0:
            finding = _named(text, at, word, kind)
            if finding is not None:
                yield finding
            at = lowered.find(word, finding.end if finding else at + len(word))
    for marks, _, pattern, kind in shapes:
        if any(map(lowered.__contains__, marks)):
            yield from _shaped(text, pattern, kind)


@lru_cache(maxsize=64)
def _sought_with(hints: tuple[str, ...]) -> tuple[tuple[tuple[str, str], ...], tuple[_Shape, ...]]:
    """The words and shapes that a text with no other hints can hold."""
    words = tuple((word, kind) for word, kind in _WORDS.items() if holds_any((word,), hints))
    return words, tuple(shape for shape in _SHAPES if holds_any(shape[0], hints))


def secret_name(name: str) -> str:
    """The kind of secret that a field of this name holds, or nothing."""
    lowered = name.lower()
    for word, kind in _WORDS.items():
        at = lowered.find(word)
        if at >= 0 and kind != "signature" and _is_secret_ending(lowered[at + len(word) :], word):
            return kind
    return "password" if lowered in ("pass", "pwd", "pin") else ""


def _shaped(text: str, pattern: str, kind: str) -> Iterator[Finding]:
    for match in _compiled(pattern).finditer(text):
        if not _is_harmless(match["secret"]):
            yield Finding(kind, match.start("secret"), match.end("secret"))


def _named(text: str, at: int, word: str, kind: str) -> Finding | None:
    end = at + len(word)
    if text[max(at - 7, 0) : at].lower().endswith(_HARMLESS_BEGINNINGS):
        return None
    if kind in ("authorization", "cookie"):
        return _header(text, end, kind)
    match = _compiled(_ASSIGNED).match(text, end)
    if match is None and _is_flag(text, at):
        match = _compiled(_GIVEN).match(text, end)
    if match is None or not _is_secret_ending(match["tail"].lower(), word):
        return None
    group = str(match.lastgroup)
    if _is_harmless(match[group]):
        return None
    return Finding(kind, match.start(group), match.end(group))


def _header(text: str, end: int, kind: str) -> Finding | None:
    """Everything up to the end of the line, unless it only names a variable: `Bearer $TOKEN`."""
    match = _compiled(_SENT).match(text, end)
    if match is None or _is_harmless(_compiled(_SCHEME).sub("", match["bare"].strip(), count=1)):
        return None
    return Finding(kind, match.start("bare"), match.end("bare"))


def _is_flag(text: str, at: int) -> bool:
    """Whether the name belongs to an option such as `--db-password`."""
    start = at
    while start > max(at - 32, 0) and (text[start - 1].isalnum() or text[start - 1] in "-_"):
        start -= 1
    return text.startswith("-", start)


def _is_secret_ending(tail: str, word: str) -> bool:
    if word in ("_pass", "_pwd"):
        return not tail
    last = re.split(r"[_.-]", tail)[-1]
    if word == "token" and (tail.startswith("iz") or tail == "s"):
        return False
    return last not in _HARMLESS_ENDINGS


def _is_harmless(value: str) -> bool:
    """A reference to a variable, a type or a constant: what stands in code where no secret stands."""
    if not value.strip() or value.lower() in _HARMLESS_VALUES:
        return True
    return _compiled(r"\$\{?[A-Za-z_][A-Za-z0-9_]{0,64}\}?|\$\(?|\$\{\{.{0,80}").fullmatch(value) is not None


_SHAPES: tuple[_Shape, ...] = (
    (
        ("bearer",),
        "",
        r"(?i:bearer)\s{1,4}(?P<secret>(?=[A-Za-z._~+/=-]{0,20}[0-9]|[A-Za-z._~+/=-]{20})[A-Za-z0-9._~+/=-]{8,8192})",
        "token",
    ),
    (("basic ",), "", r"(?i:basic)\s{1,4}(?P<secret>[A-Za-z0-9+/]{8,8192}={1,2})", "password"),
    (("://",), "@", r"://[^\s:/@\"'<>\[]{0,200}:(?P<secret>[^\s/@\"'<>]{1,500})@", "url-password"),
    (
        ("curl", "wget", "http ", "https "),
        "-u",
        r"(?<=\s)(?:-u|--user|--proxy-user)[\s=]{1,4}[\"']?[^\s:\"']{1,200}:(?P<secret>[^\s\"']{1,1000})",
        "password",
    ),
    (
        ("mysql", "mariadb"),
        "",
        r"(?:mysql|mariadb)[a-z-]{0,12}\s(?:[^|;&\n]{0,200}?\s)?-p" + _WORD,
        "password",
    ),
    (("sshpass",), "", r"sshpass\s{1,4}-p\s{0,4}" + _WORD, "password"),
    (("redis-cli",), "", r"redis-cli\s[^|;&\n]{0,200}?-a\s{1,4}" + _WORD, "password"),
    (("pass:",), "", r"-pass(?:in|out)?\s{1,4}[\"']?pass:(?P<secret>[^\s\"']{1,200})", "password"),
    (
        ("aws_secret_access_key", "aws_session_token"),
        "",
        r"(?i:aws_secret_access_key|aws_session_token)\s{1,4}(?P<secret>[A-Za-z0-9/+=]{16,4096})",
        "key",
    ),
    (
        (" password ",),
        "",
        r"(?i:login|machine)\s{1,4}\S{1,200}\s{1,4}password\s{1,4}(?P<secret>\S{1,200})",
        "password",
    ),
    (
        ("sig=",),
        "",
        r"[?&;](?i:sig)=(?P<secret>[A-Za-z0-9%+/_=-]{8,500})",
        "signature",
    ),
    (
        ("_key=",),
        "",
        r"[A-Z0-9]_KEY=[\"']?(?P<secret>[^\s\"'$;|&<>()]{8,4096})",
        "key",
    ),
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
