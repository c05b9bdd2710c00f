"""What `cargo` runs of the project: its build script, and programs that its settings name."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import (
    Table,
    field,
    line_of,
    named_tables,
    table,
    text_of,
    texts_of,
    toml_value,
)
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.script import COMPILED
from fairlead.shell.word_sets import names

_BUILDING = names(
    """
    build b check c run r test t bench clippy doc d install rustc nextest watch package publish llvm-cov miri
    """
)
_STARTING = ("run", "r", "test", "t", "bench", "nextest")
_SETTINGS = (".cargo/config.toml", ".cargo/config")
_MOST_TASKS = 50
_MOST_PACKAGES = 20


def read_cargo(project: Project) -> Iterator[Step]:
    words = [word.text for word in project.operands if not word.text.startswith("+")]
    if words[:1] == ["make"]:
        yield from _tasks(project, words[1:])
    if not words or words[0] not in _BUILDING:
        return
    path = project.given.text("--manifest-path")
    manifest = project.file(path) if path else project.nearest(("Cargo.toml",))
    folder = manifest.folder if manifest is not None else project.folder
    for each in _packages(project, manifest, folder):
        yield from _build_script(project, each)
    for file in project.collected("", ("*.rs",)):
        yield Step(file.text, f"cargo {words[0]}", COMPILED, path=file.path, line=1)
    settings = project.nearest(_SETTINGS)
    if settings is not None:
        yield from _programs(settings, folder, starts=words[0] in _STARTING)


def _packages(project: Project, manifest: File | None, folder: str) -> Iterator[str]:
    """The folder of the package, and those of the packages of its workspace."""
    yield folder
    value = toml_value(manifest.text) if manifest is not None else None
    for pattern in texts_of(field(value, "workspace", "members"))[:_MOST_PACKAGES]:
        above, _, last = f"{folder}/{pattern.strip('/')}".rpartition("/")
        names = [name for name in project.names(above) if fnmatchcase(name, last)] if "*" in last else [last]
        yield from (f"{above}/{name}" for name in names[:_MOST_PACKAGES])


def _build_script(project: Project, folder: str) -> Iterator[Step]:
    manifest = project.file(f"{folder}/Cargo.toml")
    told = field(toml_value(manifest.text), "package", "build") if manifest is not None else None
    file = project.file(f"{folder}/{text_of(told) or 'build.rs'}") if told is not False else None
    if file is not None:
        yield Step(file.text, "cargo build.rs", "any", folder, path=file.path, line=1)


def _programs(file: File, folder: str, *, starts: bool) -> Iterator[Step]:
    """What the settings put in the place of the compiler, the linker, or before the program that is built."""
    value = toml_value(file.text)
    build = table(value, "build")
    found = [
        text_of(build.get(key)) for key in ("rustc-wrapper", "rustc-workspace-wrapper", "rustc", "rustdoc")
    ]
    for _, target in named_tables(table(value, "target")):
        runner = target.get("runner")
        found.append(text_of(target.get("linker")))
        found += [text_of(runner) or " ".join(map(quote, texts_of(runner)))] if starts else []
    for text in filter(None, found):
        yield Step(text, "cargo config", folder=folder, path=file.path, line=line_of(file.text, text))


def _tasks(project: Project, words: list[str]) -> Iterator[Step]:
    """`cargo make`: tasks of `Makefile.toml`."""
    file = project.recipe("Makefile.toml", above=True)
    tasks = table(toml_value(file.text), "tasks") if file is not None else {}
    waiting, seen = words[:1] or ["default"], set[str]()
    while waiting and file is not None and len(seen) < _MOST_TASKS:
        name = waiting.pop(0)
        told = table(tasks, name)
        if name in seen or not told:
            continue
        seen.add(name)
        waiting = [*texts_of(told.get("dependencies")), *texts_of(field(told, "run_task")), *waiting]
        yield from _task(file, name, told)


def _task(file: File, name: str, told: Table) -> Iterator[Step]:
    command = " ".join(map(quote, [text_of(told.get("command")), *texts_of(told.get("args"))]))
    script = "\n".join(texts_of(told.get("script")))
    for text in (command if told.get("command") else "", script):
        if text:
            line = line_of(file.text, f"[tasks.{name}]")
            yield Step(text, f"cargo make {name}", folder=file.folder, path=file.path, line=line)
