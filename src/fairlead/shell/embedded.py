"""Shell text inside other files: the steps of a build server, the scripts of a package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from fairlead.shell.lazy_pattern import lazy

_LONGEST = 1 << 16
_MOST_LINES = 2000
_COMMAND_KEY = (
    r"(?:before|after|on)[_-]\w{1,40}"
    r"|(?:[\w.-]{0,60}[_.-])?(?:run|scripts?|commands?|cmds?|bash|sh|shell|pwsh|powershell|ps|exec|inlinescript|inline|args"
    r"|arguments|install|entrypoint|steps?|hooks?|build|test|deploy|prepare|plan|pre|post|success|failure)"
)
_ITEM = lazy(r"""([ \t]*)((?:-[ \t]+)*)(?:(["']?)([\w.-]{1,60})\3[ \t]*:(?:[ \t]+|$))?(.*)""")
_KEY = lazy(_COMMAND_KEY, re.IGNORECASE)
_BLOCK = lazy(r"[|>][-+\d]*\s*(?:#.*)?")
_STEP = lazy(
    r"\b(?:sh|bash|bat|powershell|pwsh)\b[ \t]*\(?\s*(?:[\w ,:]{0,80}?\bscript[ \t]*:[ \t]*)?"
    r"(?:'''(.*?)'''|\"\"\"(.*?)\"\"\"|'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\")",
    re.DOTALL,
)
_HOOK = lazy(
    r'"((?:pre|post)?(?:install|pack|publish|prepare|version)|prepare|prepublishOnly|dependencies'
    r'|(?:pre|post)-[\w-]+)"\s*:\s*(?:\[\s*)?("(?:[^"\\\n]|\\.)*")'
)


def pipeline_commands(path: str, text: str) -> str:
    """What the steps of a pipeline would run, one after the other, whatever server it is for."""
    text = text[:_LONGEST]
    found = _groovy(text) if path.rsplit("/", 1)[-1].startswith("Jenkinsfile") else _yaml(text)
    return "\n".join(line for line in found if line.strip())


def install_scripts(text: str) -> str:
    """What a package manager runs by itself when the package is installed or packed."""
    found = (_plain(match[2]) for match in _HOOK.finditer(text[:_LONGEST]))
    return "\n".join(line for line in found if line)


def _plain(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return ""


def _groovy(text: str) -> Iterator[str]:
    for match in _STEP.finditer(text):
        yield next((group for group in match.groups() if group is not None), "").replace("\\'", "'")


def _yaml(text: str) -> Iterator[str]:
    """Values of the keys that hold commands, items of lists, lines of a block that started above the text.

    The indentation decides where a block ends; the file need not be whole, since an edit is a piece of one.
    """
    block: int | None = None
    folded = False
    for line in text.split("\n")[:_MOST_LINES]:
        indent = len(line) - len(line.lstrip())
        if block is not None and (not line.strip() or indent > block):
            yield line.strip() + (" \\" if folded and line.strip() else "")
            continue
        block = None
        match = _ITEM.match(line)
        assert match is not None
        key, value = match[4], match[5].strip()
        if value.startswith("#") or (key and not _KEY.fullmatch(key)):
            continue
        if _BLOCK.fullmatch(value):
            folded = value.startswith(">")
            block = indent + (len(match[2]) if key else 0)
            continue
        yield from _values(value)


def _values(value: str) -> Iterator[str]:
    """The strings of a value: quoted, plain, or a list in brackets."""
    if value.startswith("[") and value.endswith("]"):
        for item in re.split(r",[ \t]+", value[1:-1])[:50]:
            yield _unquoted(item)
    elif value.startswith("{") and value.endswith("}"):
        yield _unquoted(value[1:-1].partition(":")[2].strip())
    else:
        yield _unquoted(value)


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return value
