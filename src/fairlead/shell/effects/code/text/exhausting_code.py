"""Signs of code that takes the whole machine: forks without end, texts that no memory holds, kills of all."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

FORKS = lazy(
    r"for\s*\(;;\)\s*\{?\s*require\(['\"]child_process|"
    r"fork\s+(?:while|until)|loop\s*(?:\{|do)\s*(?:Process\.)?fork"
    r"|(?:(?:while|until|unless)\s*\(?\s*(?:1|true|!0|:)\s*\)?|for\s*\(\s*;\s*;\s*\)|setInterval\(\s*\(\)\s*=>)\s*(?:\{|do)?\s*(?:@?(?:pcntl_)?fork|Process\.fork|require\(['\"]child_process|posix\.fork)",
    re.I,
)
GROWS = lazy(
    r"(?:\bx|\*|\.repeat\()\s*\(?(?:1e1[1-9]|10\s*\*\*\s*1[1-9])\b"
    r"|\b(?:while\s?\(?(?:1|true)\)?|for\s?\(;;\)|loop)\s?(?:\{|do)?[^}\n]{0,24}?(?:push|<<|\.=|\+=)[^}\n]{0,20}?"
    r"(?:1e[6-9]|10\s*\*\*\s*[6-9]|\d{7,})",
)
"""Texts and lists of a size that no memory has, or that grow in a loop without end."""
KILLS = lazy(
    r"\bkill\b\s*\(?\s*['\":]?(?:SIG)?\w+['\"]?\s*(?:,|=>)\s*-?1\s*(?:\)|;|\Z|['\"])"
    r"|(?:process\.kill|posix_kill|posix\.kill|Deno\.kill)\s*\(\s*-?1\s*[,)]|process_iter\(\).{0,200}\.kill\(\)|\.kill\(\).{0,200}process_iter\(\)",
)
