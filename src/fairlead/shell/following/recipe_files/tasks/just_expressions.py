"""Expressions of `just`: texts, variables, backticks and the usual functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.language.escapes import decode_escapes
from fairlead.shell.lazy_pattern import lazy

_TOKEN = lazy(
    r"""\s*(?:(?P<command>```.*?```|`[^`]*`)|(?P<raw>'''.*?'''|'[^']*')|(?P<text>x?\"\"\".*?\"\"\"|x?"(?:\\.|[^"\\])*")
    |(?P<call>[A-Za-z_][\w-]*)\s*\(|(?P<name>[A-Za-z_][\w-]*)|(?P<sign>==|!=|=~|&&|\|\||[-+/(){},]))""",
    re.S | re.X,
)
_MOST_TOKENS = 400
_DEEPEST = 30
_PLACES = {
    "justfile_directory": ".", "justfile_dir": ".", "source_directory": ".", "source_dir": ".",
    "invocation_directory": ".", "invocation_dir": ".",
}  # fmt: skip


class Expressions:
    """What the variables of a justfile come to. `folder` is that of the file."""

    def __init__(self, project: Project, folder: str) -> None:
        self._project = project
        self._folder = folder
        self.texts: dict[str, str] = {}
        self.overrides: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._depth = 0

    def variable(self, name: str, own: Mapping[str, str]) -> str:
        if name in own:
            return own[name]
        if name in self.overrides:
            return self.overrides[name]
        if name not in self._values:
            text = self.texts.get(name)
            self._values[name] = f"{{{{{name}}}}}"  # what refers to itself
            found = self._project.unknown(f"{{{{{name}}}}}") if text is None else self.value(text, own)
            self._values[name] = found
        return self._values[name]

    def value(self, text: str, own: Mapping[str, str]) -> str:
        """Texts that are joined; a mark for all that is more than that."""
        self._depth += 1
        try:
            return self._joined(text, own) if self._depth <= _DEEPEST else self._project.unknown(text[:80])
        finally:
            self._depth -= 1

    def _joined(self, text: str, own: Mapping[str, str]) -> str:
        pieces: list[str] = []
        place = 0
        for _ in range(_MOST_TOKENS):
            found = _TOKEN.match(text, place)
            if not found:
                break
            place = found.end()
            if found["call"]:
                end = text.find(")", place)
                given = text[place:end] if end >= 0 else text[place:]
                pieces.append(self._called(found["call"], given, own))
                place = len(text) if end < 0 else end + 1
            elif found["sign"] == "/":
                pieces.append("/")
            elif found["sign"] in ("+", "(", ")"):
                continue
            elif found["sign"] or found["name"] in ("if", "else", "assert"):
                return self._project.unknown(f"{{{{{text.strip()[:80]}}}}}")
            else:
                pieces.append(self._atom(found, own))
        return "".join(pieces)

    def _atom(self, found: re.Match[str], own: Mapping[str, str]) -> str:
        if found["name"]:
            return self.variable(found["name"], own)
        if found["command"]:
            return self._project.output(found["command"].strip("`"), "just `…`", folder=self._folder)
        token = found["raw"] or found["text"]
        body = token.removeprefix("x")
        marks = 3 if body[:3] in ("'''", '"""') and len(body) >= 6 else 1
        return (
            body[marks:-marks] if found["raw"] else decode_escapes(body[marks:-marks].replace('\\"', '"'))[0]
        )

    def _called(self, name: str, given: str, own: Mapping[str, str]) -> str:
        first, comma, second = given.partition(",")
        if name in ("env_var", "env", "env_var_or_default"):
            variable = self.value(first, own)
            outside = self._project.variable(variable)
            if outside is not None:
                return outside
            return self.value(second, own) if comma else self._project.unset(f"${variable}", f"${variable}")
        if name in ("home_directory", "home_dir"):
            return self._project.run.home
        if name in _PLACES:
            return self._folder
        if name in ("quote", "trim", "absolute_path", "clean", "canonicalize"):
            return self.value(given, own)
        if name == "shell":
            return self._project.output(self.value(first, own), "just shell()", folder=self._folder)
        return self._project.unknown(f"{{{{{name}({given[:60]})}}}}")


def interpolated(text: str, value: Callable[[str], str]) -> str:
    """A line with what stands in `{{…}}` put in its place."""
    pieces = re.split(r"\{\{((?:[^{}]|\{(?!\{)|\}(?!\}))*)\}\}", text.replace("{{{{", "\0"))
    return "".join(value(each) if odd % 2 else each for odd, each in enumerate(pieces)).replace("\0", "{{")
