"""Files that code in other languages writes with a literal name and content, so that they can be followed."""

from __future__ import annotations

import re

from fairlead.shell.expansion.redirections import unknown_output, write_file
from fairlead.shell.expansion.state import State
from fairlead.shell.language.escapes import decode_escapes
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word

_TEXT = (
    r"""(?:\"\"\"(?P<ta>.*?)\"\"\"|\'\'\'(?P<tb>.*?)\'\'\'"""
    r"""|"(?P<tc>(?:\\.|[^"\\])*)"|'(?P<td>(?:\\.|[^'\\])*)')"""
)
_PATH = r"""["'](?P<%s>[^"'\n]{1,300})["']"""
_AT_ONCE = lazy(
    rf"(?:open\(\s*{_PATH % 'path'}\s*,\s*['\"][wax][^)]*\)\.write"
    rf"|Path\(\s*{_PATH % 'other'}\s*\)\.write_text"
    r"|(?:writeFileSync|writeFile|file_put_contents|File\.write|IO\.write|spit)\s*\(?\s*"
    rf"{_PATH % 'third'}\s*,)\s*\(?\s*[bru]?{_TEXT}",
    re.S,
)
_OPENED = lazy(rf"open\(\s*{_PATH % 'path'}\s*,\s*['\"][wax]")
_WRITTEN = lazy(rf"\.write\(\s*[bru]?{_TEXT}", re.S)
FETCHED = lazy(
    r"""urlretrieve\(\s*[^,()]{1,300},\s*["']([^"'\n]{1,300})["']"""
    r"""|\bcopy\(\s*["'](?:https?://[^"'\n]{1,300})?["']\s*,\s*["']([^"'\n]{1,300})["']"""
    r"""|createWriteStream\(\s*["']([^"'\n]{1,300})["']"""
    r"""|(?:open|Path)\(\s*["']([^"'\n]{1,300})["'][^()\n]{0,40}\)\.write(?:_text|_bytes)?\(\s*"""
    r"""(?:requests|httpx|urllib|r|u)\b[\w.]{0,40}(?:get|urlopen|text|content)"""
)
"""What comes off the network goes into a file."""
_MAX_CODE = 64 * 1024
_MAX_FILES = 20
_SIGNS = ("rit", "put_contents", "spit", "urlretrieve", "copy(")


def remember_writes(code: str, state: State) -> None:
    """Note what the code writes; where it opens a file first and writes later, the texts go to that file."""
    if len(code) > _MAX_CODE or not any(sign in code for sign in _SIGNS):
        return
    found = list(_AT_ONCE.finditer(code))[:_MAX_FILES]
    for match in found:
        path = match["path"] or match["other"] or match["third"]
        write_file(Word(path), _text(match), state, append=False)
    opened = [] if found else list(_OPENED.finditer(code))[:_MAX_FILES]
    for match in opened:
        texts = [_text(each) for each in list(_WRITTEN.finditer(code, match.end()))[:_MAX_FILES]]
        write_file(Word(match["path"]), "".join(texts), state, append=False)
    for match in list(FETCHED.finditer(code))[:_MAX_FILES] if "http" in code else ():
        path = next(group for group in match.groups() if group)
        write_file(Word(path), unknown_output("a download", network=True), state, append=False)


def _text(match: re.Match[str]) -> str:
    text = next((match[name] for name in ("ta", "tb", "tc", "td") if match[name] is not None), "")
    return decode_escapes(text.replace('\\"', '"').replace("\\'", "'"))[0]
