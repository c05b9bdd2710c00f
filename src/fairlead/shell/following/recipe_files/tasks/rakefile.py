"""Files of rake: Ruby, of which the tasks count that are told, with those that they need."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_TASK = lazy(r"(\s*)(?:task|multitask|file)\b[ (]*[:\"']?([\w:.-]+)[\"']?(.*)\Z")
_SPACE = lazy(r"(\s*)namespace\b[ (]*[:\"']?([\w-]+)")
_WORD = lazy(r"[\w:.-]+")
_IMPORTED = lazy(r"\b(?:import|load|require_relative)\b[ (]*[\"']([\w./-]+)[\"']")
_MOST_FILES = 20
_LISTED = ("-T", "--tasks", "-P", "--prereqs", "-n", "--dry-run", "-W", "--where", "--version", "-h")


def read_rake(project: Project) -> Iterator[Step]:
    file = project.recipe(above=True)
    if file is None or project.given.has(*_LISTED):
        return
    wanted = [word.text.split("[")[0] for word in project.operands if word.known and "=" not in word.text]
    unknown = any(word.opaque for word in project.operands)
    for each in (file, *_more_files(project, file)):
        text = each.text if unknown else _told(each, wanted or ["default"])
        if text.strip():
            yield Step(text, f"rake {' '.join(wanted)}".strip(), "ruby", file.folder, path=each.path, line=1)


def _more_files(project: Project, file: File) -> Iterator[File]:
    """Those that it names, and those that a framework loads."""
    tasks = [
        f"lib/tasks/{name}" for name in project.names(f"{file.folder}/lib/tasks") if name.endswith(".rake")
    ]
    named = [match[1] for match in _IMPORTED.finditer(file.text)]
    for path in [*tasks, *named][:_MOST_FILES]:
        found = project.file(f"{file.folder}/{path}")
        if found is not None:
            yield found


def _told(file: File, wanted: list[str]) -> str:
    """The file, with the tasks left empty that are not run."""
    lines = file.text.split("\n")
    blocks = _blocks(lines)
    needed = set(wanted)
    for _ in range(20):
        more = {word for name, rest, _, _ in blocks if name in needed for word in _needs(name, rest)}
        if more <= needed:
            break
        needed |= more
    for name, _, start, end in blocks:
        if name not in needed:
            lines[start:end] = [""] * (end - start)
    return "\n".join(lines)


def _needs(name: str, rest: str) -> Iterator[str]:
    """Names in the head of a task: those of others, as they are written and in the same space."""
    space = name.rpartition(":")[0]
    for word in _WORD.findall(rest)[:50]:
        yield word.strip(":")
        yield f"{space}:{word.strip(':')}"


def _blocks(lines: list[str]) -> list[tuple[str, str, int, int]]:
    """Each task by its full name, with the rest of its head and its lines: it ends with an `end` that is
    indented like itself."""
    found: list[tuple[str, str, int, int]] = []
    spaces: list[tuple[int, str]] = []
    ends = _ends(lines)
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip() == "end":
            spaces = [space for space in spaces if space[0] < indent]
        space, task = _SPACE.match(line), _TASK.match(line)
        if space:
            spaces.append((indent, space[2]))
        elif task:
            name = ":".join([*(each for _, each in spaces), task[2].strip(":")])
            last = ends.get(number, number) if "do" in task[3].split() or " do" in task[3] else number
            found.append((name, task[3].partition(" do")[0], number, last + 1))
    return found


def _ends(lines: list[str]) -> dict[int, int]:
    """For each line, the next `end` that is indented like it."""
    later: dict[int, int] = {}
    found: dict[int, int] = {}
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        indent = len(line) - len(line.lstrip())
        if line.strip() == "end":
            later[indent] = number
        elif indent in later:
            found[number] = later[indent]
    return found
