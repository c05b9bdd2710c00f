"""Runs what an earlier call brought from another machine."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.earlier.moments import when
from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.memory import Memory
from fairlead.sessions.note import Note
from fairlead.shell.effects.effect import RUNS_CLONED, RUNS_CLONED_TOLD, RUNS_FETCHED, Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.together.run_downloads import executed_by
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Script, Word
from fairlead.shell.word_sets import names

_INSTALLING = names("npm pnpm yarn bun pip pip3 uv poetry pdm hatch bundle composer gem cargo go")
_NOT_RUNNING = names(
    """
    list ls view info show outdated why audit config help version --version -v -V -h --help freeze search
    metadata tree fmt vet doc mod env cache fetch download lock init
    """
)
"""What they can be told that runs nothing of the project."""
_BUILDING = names(
    """
    make gmake ninja just task rake ant mvn mvnw gradle gradlew bazel scons meson cmake tox nox pytest
    pre-commit invoke fab ansible-playbook vagrant
    """
)
_RUNNERS = names(
    "java deno bun tsx ts-node npx bunx pipx uvx dotnet mono wine julia swift elixir groovy scala kotlin osascript"
)
"""What runs a file that it is given somewhere among its words."""
_LOADED = names("LD_PRELOAD DYLD_INSERT_LIBRARIES BASH_ENV ENV PYTHONSTARTUP PERL5OPT RUBYOPT LD_AUDIT")
_PRINTING = names("cat tac head tail sed base64 zcat gunzip xzcat")
_DRY = names("-n --dry-run --just-print --recon --version --help -h -v --list -l")


def runs_fetched(call: Call, memory: Memory) -> Iterator[Effect]:
    """A file that was fetched, and the project in a folder that was."""
    seen: set[str] = set()
    for command in call.script.commands:
        if any(wrapper.place for wrapper in command.wrappers):
            continue
        for path in (*_run_files(command, call.where), *_projects(command, call.where)):
            if path and path not in seen:
                seen.add(path)
                yield from _run(path, command, memory, call.where)
    for path, command in (*_read_files(call.script), *_printed_files(call.script, call.where)):
        if path not in seen:
            seen.add(path)
            yield from _run(path, command, memory, call.where)


def _run(path: str, command: Command, memory: Memory, where: Surroundings) -> Iterator[Effect]:
    origin = memory.fetched(path)
    if origin is None or memory.checked(path) or memory.checked(origin.subject):
        return
    target = resolve(Word(path), command, where)
    name = _name(origin, memory)
    yield Effect(Action.RUN_NETWORK_CODE, name, command, target, what=shown(command), detail=_told(origin))


def _name(origin: Note, memory: Memory) -> str:
    if origin.program != "git clone":
        return RUNS_FETCHED
    return RUNS_CLONED_TOLD if memory.untrusted_before(origin.at) else RUNS_CLONED


def _told(origin: Note) -> str:
    return f"{origin.subject} came from {origin.source or 'elsewhere'} by `{origin.program}` {when(origin)}"


def _run_files(command: Command, where: Surroundings) -> Iterator[str]:
    for path in executed_by(command, where):
        found = resolve(Word(path), command, where)
        yield found.real or found.path
    if command.name in _RUNNERS:
        texts = (word.text for word in command.argv[1:])
        yield from (
            _real(text, command, where) for text in texts if text[:1] != "-" and not _DATA.search(text)
        )
    for name in _LOADED & command.assignments.keys():
        yield _real(command.assignments[name].text, command, where)


def _printed_files(script: Script, where: Surroundings) -> Iterator[tuple[str, Command]]:
    """`cat x | bash`, `eval "$(cat x)"`."""
    first = script.commands[0] if script.commands else Command((), None)
    for part in script.opaque:
        for stage in part.unknown.commands() if part.executed else ():
            if stage and stage[0] in _PRINTING:
                yield from ((_real(text, first, where), first) for text in stage[1:])


def _read_files(script: Script) -> Iterator[tuple[str, Command]]:
    """The files that were found to run when the call was read."""
    first = script.commands[0] if script.commands else Command((), None)
    yield from ((run.path, first) for run in script.files)
    yield from ((unread.path, first) for unread in script.unread)


def _projects(command: Command, where: Surroundings) -> Iterator[str]:
    """The folder whose project it builds, installs or tests."""
    texts = [word.text for word in command.argv[1:]]
    if command.name in _BUILDING:
        runs = _DRY.isdisjoint(texts)
    elif command.name in _INSTALLING:
        runs = _NOT_RUNNING.isdisjoint(texts[:1]) and bool(texts or command.name in ("yarn", "bun"))
    else:
        runs = command.name in ("docker", "podman") and texts[:1] in (["build"], ["compose"])
    if runs:
        yield command.cwd or ""
        given = (text.rpartition("=")[2] if text.startswith("-") else text for text in texts)
        yield from (_real(text, command, where) for text in given if text and not _DATA.search(text))


_DATA = lazy(
    r"\.(?:json|csv|tsv|txt|md|xml|html?|proto|sql|graphql|svg|png|jpe?g|pdf|parquet|avsc|xsd|wsdl)$"
)
"""What is worked on, and not run."""


def _real(text: str, command: Command, where: Surroundings) -> str:
    target = resolve(Word(text), command, where)
    return target.real or target.path
