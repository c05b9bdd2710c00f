"""Files whose content code sends to another machine, in languages that are read as text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.call_syntax import Call
from fairlead.shell.lazy_pattern import lazy

_ADDRESS = lazy(
    r"[\"'`](?P<url>https?://[^\"'`\s]{1,300})[\"'`]|(?:TCPSocket(?:\.new|\.open)?|fsockopen|connect)\(\s*(?:\d+\s*,\s*)?[\"'](?P<host>[\w.-]{1,200})[\"']"
)
_HERE = lazy(r"(?:https?://)?(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0)(?:[:/]|$)")
_PAYLOAD = lazy(
    r"(?:\b(?:body|data|form|files?|payload|content|CURLOPT_POSTFIELDS)\b[\"']?\s*(?:=>|[:=,])|\b(?:post|put|patch|send|write|print|puts|fwrite|append|post_form|request)\s*\(|<<)(?P<rest>[^;\n]{0,300})",
    re.I,
)
_SHORTHAND = lazy(r"[{,]\s*(?P<name>body|data)\s*[,}]")


def sent_files(calls: Sequence[Call], reads: Sequence[tuple[Call, str]], text: str) -> Iterator[Act]:
    """As the command that sends the same: what is read where it is sent, or under a name that is sent."""
    found = _ADDRESS.search(text) if reads else None
    address = (found["url"] or found["host"]) if found else ""
    if not address or _HERE.match(address):
        return
    payloads = [match["rest"] for match in _PAYLOAD.finditer(text)]
    payloads += [match["name"] for match in _SHORTHAND.finditer(text)]
    for call, path in reads:
        if any(call.source in rest and call.last in rest for rest in payloads) or _is_named(
            call, payloads, text
        ):
            yield Act("shell", f"curl -T {shlex.quote(path)} {shlex.quote(address)}")


def _is_named(call: Call, payloads: Sequence[str], text: str) -> bool:
    """`const body = readFileSync(p)`, and then the name where something is sent."""
    given = re.search(
        rf"[$]?(\w+)\s*:?=\s*(?:await\s+)?(?:[\w.$:]+(?:\([^()]*\))?\.)?{re.escape(call.last)}\s*\(\s*{re.escape(call.source[:80])}",
        text,
    )
    return given is not None and any(re.search(rf"\b{given[1]}\b", rest) for rest in payloads)
