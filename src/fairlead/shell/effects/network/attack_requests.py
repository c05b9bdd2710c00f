"""Requests whose text tries to make a server do what it should not."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy

_BLANK = r"(?:\s|%20|\+|/\*\*/)"
_ATTACKS = lazy(
    rf"\bunion{_BLANK}+(?:all{_BLANK}+)?select\b|(?:'|%27){_BLANK}*(?:or|and){_BLANK}+(?:'|%27)?(\d)(?:'|%27)?{_BLANK}*(?:=|%3d)"
    rf"{_BLANK}*(?:'|%27)?\1|\bxp_cmdshell\b|\bwaitfor{_BLANK}+delay\b|(?:'|%27)(?:--|;?{_BLANK}*drop{_BLANK}+table)"
    r"|(?:(?:\.|%2e){2}(?:/|%2f|\\|%5c)){2,}[^\s&]{0,60}(?:etc/(?:passwd|shadow)|win\.ini|proc/self|id_rsa|\.env)"
    r"|:10250/(?:run|exec|attach|portforward)/|/api/v1/namespaces/[^/\s]+/pods/[^/\s]+/exec\?"
    r"|\$\{jndi:|\(\)\s*\{\s*:;\s*\}\s*;|php://(?:filter|input)|<script>alert|%3cscript%3e|=file:///etc/|=https?(?:://|%3a%2f%2f)169\.254\.169\.254"
    r"|(?:;|%3b|\||%7c|`|%60)(?:\s|%20|\+)*(?:cat|type)(?:\s|%20|\+|\$\{IFS\})+/?etc/",
    2,
)


def is_attack(text: str) -> bool:
    """An injection, a way out of a folder, a template that is evaluated."""
    return len(text) < _LONGEST and _ATTACKS.search(text) is not None


_LONGEST = 8192
