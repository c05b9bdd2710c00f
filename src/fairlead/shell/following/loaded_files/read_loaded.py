"""What a program runs of the files that it loads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from shlex import quote

from fairlead.shell.following.line_files.command_lines import command_lines
from fairlead.shell.following.line_files.given_files import options_in
from fairlead.shell.following.line_files.script_files import interpreter_words
from fairlead.shell.following.loaded_files.file_formats import ASKS, FORMATS, LIST, Part
from fairlead.shell.following.loaded_files.found_places import files_at
from fairlead.shell.following.loaded_files.loading_programs import Loading, loadings_of
from fairlead.shell.following.loaded_files.tree_values import tree_texts
from fairlead.shell.following.recipe_files.any_files import language_of
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.following.text_options import escapes
from fairlead.shell.programs.well_known_programs import is_well_known

_MOST = 60
"""Things that one part of a file may run: what has more is not read to its end, and so is asked about."""
_CODE = ("python", "any")
_TEXT = re.compile(r"""''+(.{1,4000}?)''|"((?:\\.|[^"\\\n])+)"|'([^'\n]+)'|`([^`]+)`""", re.S)
_ENDS = re.compile(r"[;&|]+")
_ITEM = re.compile(r"""\"((?:\\.|[^"\\])*)"|'([^']*)'|<argument>\s*([^<>]*?)\s*</argument>""")


def loaded_steps(project: Project) -> Iterator[Step]:
    seen: set[tuple[str, str]] = set()
    for row in loadings_of(project.name):
        if _is_told(project, row):
            for file in (file for place in row.places for file in files_at(project, place)):
                if (file.path, row.format) not in seen:
                    seen.add((file.path, row.format))
                    yield from _steps(project, file, row.format)


def _is_told(project: Project, row: Loading) -> bool:
    texts = [word.text for word in project.words[1:]]
    return not row.when or any(fnmatchcase(text, told) for told in row.when for text in texts)


def _steps(project: Project, file: File, kind: str) -> Iterator[Step]:
    for part in FORMATS[kind]:
        for number, step in enumerate(_part_steps(project, file, part)):
            if number == _MOST:
                project.note_unread(file.path)
                break
            yield step.replace(folder=project.folder, path=file.path, line=step.line or 1)


def _part_steps(project: Project, file: File, part: Part) -> Iterator[Step]:
    how, *told = part
    via = f"{project.name} {file.path.rsplit('/', 1)[-1]}"
    if how == "shell":
        yield Step(file.text, via)
    elif how == "code":
        yield Step(file.text, via, told[0])
    elif how == "script":
        yield from _script_steps(file, via)
    elif how == "line":
        yield from _matched(project, file, via, *told)
    else:
        for text in _texts(project, file, how, told):
            yield Step(text, via, line=_line(file.text, text))


def _texts(project: Project, file: File, how: str, told: list[str]) -> Iterator[str]:
    if how == "tree":
        yield from tree_texts(file, told[0])
    elif how == "escapes":
        yield from (text for _, text in escapes()(project.words[:1], file.text) if isinstance(text, str))
    elif how == "options":
        yield _with_options(project, file)
    else:
        yield from written_texts(file.text)


def _script_steps(file: File, via: str) -> Iterator[Step]:
    """A program that may be a script of whatever language; settings that nobody may run are none."""
    words = interpreter_words(file.text)
    if words:
        yield Step(f"{' '.join(map(quote, words))} {quote(file.path)}", via)
    elif language_of(file.path):
        yield Step(file.text, via, language_of(file.path))


def _with_options(project: Project, file: File) -> str:
    """The command with what stands in the file in place of its name."""
    name = file.path.rsplit("/", 1)[-1]
    kept = [project.source(word) for word in project.words if not word.text.endswith(name)]
    kept = [word for word in kept if word not in ("-K", "--config")]
    told = [f"--{text[2:].replace('_', '-')}" if text[:2] == "--" else text for text in options_in(file.text)]
    return " ".join(map(quote, (*kept, *told)))


def _matched(project: Project, file: File, via: str, pattern: str, template: str) -> Iterator[Step]:
    for match in _compiled(pattern).finditer(file.text):
        line = file.text.count("\n", 0, match.start()) + 1
        groups = match.groupdict()
        text = _with_values(project, _as_text(groups, template))
        if template == ASKS:
            project.note_unread(file.path)
            return
        elif template in _CODE:
            yield Step(text, via, template, line=line)
        elif template == "runs":
            lines = (each.strip().removeprefix("RUN ") for each in text.split("\n") if " RUN " in f" {each}")
            yield from (Step(each, via, line=line) for each in lines)
        else:
            yield Step(text if template in ("{}", LIST) else template.format(text), via, line=line)


_AT_HOME = re.compile(r"\$\{(?:user\.home|env\.HOME)\}")
_INTERPOLATED = re.compile(r"\$\{[\w-]{1,40}\.[^{}]{1,200}\}")
"""What no shell would take for one of its variables: its name has a point in it."""


def _with_values(project: Project, text: str) -> str:
    return _INTERPOLATED.sub(lambda match: project.unknown(match[0]), _AT_HOME.sub("$HOME", text))


def _as_text(groups: dict[str, str | None], template: str) -> str:
    if template != LIST:
        return _unquoted((groups.get("text") or "").strip()).replace('\\"', '"')
    items = [next((each for each in found if each), "") for found in _ITEM.findall(groups.get("list") or "")]
    head = groups.get("head")
    if not head and len(items) == 1:
        return items[0]
    return " ".join(map(quote, [head, *items] if head else items))


def _unquoted(text: str) -> str:
    whole = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    return text[1:-1] if whole else text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def written_texts(text: str) -> Iterator[str]:
    """Commands in a syntax that is not read: whole lines, and texts that begin as commands do. Texts of one
    list are the words of one command."""
    yield from command_lines(text)
    for found in _TEXT.finditer(text):
        inner = next(each for each in (*found.groups(), "") if each is not None)
        for line in inner.split("\n"):
            if any(map(_begins_a_command, _ENDS.split(line))):
                yield line.strip()


def _begins_a_command(text: str) -> bool:
    words = text.split()
    return len(words) > 1 and is_well_known(words[0].rsplit("/", 1)[-1])


def _line(text: str, wanted: str) -> int:
    place = text.find(wanted.split("\n", 1)[0])
    return text.count("\n", 0, place) + 1 if place >= 0 else 1
