"""Reads a tool call into effects, whatever the tool: one sight for shell, file tools and patches."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache

from fairlead.model.event import Event
from fairlead.model.facts import Facts, facts_of, quoted
from fairlead.model.installation import NOWHERE, Installation
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.value import Value
from fairlead.packs.foreign.foreign_kinds import is_foreign, is_powershell
from fairlead.packs.identity_memory import once_for_each
from fairlead.packs.judging.patches import added_text, patched_files
from fairlead.packs.judging.readings import understood
from fairlead.packs.names.hiding import with_hidden_names
from fairlead.platforms import here
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.metadata_addresses import asks_for_machine_keys
from fairlead.shell.effects.secret_material.secret_searches import looks_for_keys
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import normal
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import IN_EVERY_HOME, resolve
from fairlead.shell.places.world import ignores_case as finds_other_letters
from fairlead.shell.programs.lookup import SHIPPED, Programs
from fairlead.shell.script import Command, Script, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.packs.project_files.sight import FileRead

_ACTIONS = {
    ToolKind.WRITE: Action.OVERWRITE,
    ToolKind.EDIT: Action.WRITE,
    ToolKind.NOTEBOOK: Action.WRITE,
    ToolKind.PATCH: Action.WRITE,
    ToolKind.DELETE: Action.DELETE,
    ToolKind.LIST: Action.LIST,
}
_PATCH_KEYS = ("patch", "patchText", "diff", "input")
_GLOB_KEYS = ("glob", "include", "include_pattern", "glob_pattern", "pattern")


class Call(Value):
    """A tool call as the packs see it. `content` is text that it would write or send."""

    where: Surroundings
    script: Script
    effects: tuple[Effect, ...]
    content: str = ""
    is_shell: bool = False
    is_address: bool = False
    """The content is the address that would be fetched."""
    said: str = ""
    """What a foreign tool would tell people."""
    files: tuple[FileRead, ...] = ()
    """What it would run from files, as far as they were read."""
    left: tuple[str, ...] = ()
    """What it would run from files that were left alone."""
    kept: dict[object, object] | None = None
    """What was made of it the last time; None where it was something else then."""


@once_for_each(2)
def read_call(
    event: Event, installation: Installation = NOWHERE, programs: Programs = SHIPPED, follow: bool = True
) -> Call | None:
    """None for an event without a tool call. Two guards judge each call; what it would do is found once."""
    return read_anew(event, installation, programs, follow=follow)


def read_anew(
    event: Event,
    installation: Installation,
    programs: Programs,
    *,
    follow: bool = True,
    also: frozenset[str] = frozenset(),
) -> Call | None:
    """With what the files do that it would run; `also` those that would be left alone."""
    call = event.tool
    if call is None:
        return None
    if is_foreign(call):
        from fairlead.packs.foreign.json_texts import opened  # only for tools that no agent ships

        call = opened(call)
    cwd = event.cwd or event.root or "/"
    home = home_of_user()
    where = surroundings(event.root or cwd, home, installation, _ignores_case(home), programs)
    facts = facts_of(call, cwd)
    if facts.command is None:
        return _file_call(call, facts, cwd, where)
    text = f"pwsh -Command {quoted(facts.command)}" if is_powershell(call) else facts.command
    found = understood(text, facts.directory or cwd, where, follow=follow, also=also)
    script, effects = found.script, found.effects
    if call.kind is not ToolKind.SHELL or not call.input.keys().isdisjoint(_PATCH_KEYS):
        touched = tuple(_path_effects(call, facts, cwd, where))
        effects = (*effects, *with_hidden_names(touched, script, where))
    if event.home not in ("", where.home) and (found.files or _SAYS_HOME.search(text)):
        effects = (*effects, *_seen_from(event.home, text, facts.directory or cwd, where, follow=follow))
    kept = found.kept if effects is found.effects else None
    return Call(
        where,
        script,
        effects,
        facts.command,
        is_shell=True,
        files=found.files,
        left=found.left,
        kept=kept,
    )


_SAYS_HOME = lazy(r"~|HOME|XDG_|\b(?:cd|pushd)\s*(?:[;&|)\n]|$)")


def _seen_from(home: str, text: str, cwd: str, where: Surroundings, *, follow: bool) -> tuple[Effect, ...]:
    """What the command would do with the home that its caller's environment names: `~` means that to a shell.
    A folder of the system does not become a home because a variable says so."""
    home = normal(home)
    other = where if f"{home}/".startswith(_NO_HOMES) else where.replace(home=home)
    return understood(text, cwd, other, home=home, follow=follow).effects


_NO_HOMES = tuple(
    f"/{name}/" for name in ["etc", "usr", "bin", "sbin", "boot", "lib", "lib64", "proc", "sys", "dev", "run"]
)


@lru_cache(maxsize=16)
def surroundings(
    root: str,
    home: str,
    installation: Installation,
    ignores_case: bool = False,
    programs: Programs = SHIPPED,
) -> Surroundings:
    own = (
        *(f"{home}/{place}" for place in IN_EVERY_HOME),
        "/etc/fairlead",
        "/var/lib/fairlead",
        f"/run/user/{os.getuid()}/fairlead",
    )
    guard = tuple(dict.fromkeys((*own, *installation.kept)))
    return Surroundings(root, home, guard, installation, ignores_case, programs)


_ignores_case = lru_cache(maxsize=4)(finds_other_letters)


@lru_cache(maxsize=1)
def home_of_user() -> str:
    """The home of the uid, which no variable of an agent's settings can move."""
    return here.home_of_user().rstrip("/")


def _file_call(call: ToolCall, facts: Facts, cwd: str, where: Surroundings) -> Call:
    content = facts.content or facts.url or ""
    if call.kind is ToolKind.PATCH:
        content = "\n".join((content, *(added_text(text) for text in _patch_texts(call.input))))
    script = Script("")
    effects = with_hidden_names(tuple(_path_effects(call, facts, cwd, where)), script, where)
    is_address = not facts.content and bool(facts.url)
    return Call(where, script, effects, content, is_address=is_address, said=_said(call))


def _said(call: ToolCall) -> str:
    if not is_foreign(call):
        return ""
    from fairlead.packs.foreign.foreign_calls import said_text  # only for tools that no agent ships

    return said_text(call)


def _path_effects(call: ToolCall, facts: Facts, cwd: str, where: Surroundings) -> Iterator[Effect]:
    command = Command((), cwd)
    if is_foreign(call):
        from fairlead.packs.foreign.foreign_calls import action_on, foreign_effects

        for fact in facts.paths:
            yield _on_path(action_on(call, fact), call, command, Word(fact.path), where)
        yield from foreign_effects(call, cwd, where)
    else:
        for fact in facts.paths:
            own = Action.DELETE if fact.operation == "delete" else _ACTIONS.get(call.kind, Action.READ)
            yield _on_path(own, call, command, Word(fact.path), where)
    if not call.input.keys().isdisjoint(_PATCH_KEYS):
        for text in _patch_texts(call.input):
            for path, change in patched_files(text):
                yield _on_path(change, call, command, Word(path), where)
    if facts.url is not None:
        for url in facts.url.split("\n"):
            yield from _address_effects(call, url, command, where)
    if call.kind in (ToolKind.SEARCH, ToolKind.LIST):
        folder = facts.paths[0].path if facts.paths else cwd
        yield from _search_effects(call, facts.query, folder, command, where)


def _address_effects(call: ToolCall, url: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    if url.startswith("file://"):
        yield _on_path(Action.READ, call, command, Word(url[7:]), where)
    if asks_for_machine_keys(url):
        yield Effect(Action.READ_SECRET, "metadata", command, what=f"{call.name} {url[:80]}")
    if "?" in url:
        from fairlead.shell.effects.network.told_addresses import tells_secret  # only where something is told

        if tells_secret(url):
            yield Effect(Action.SEND_DATA, "environment", command, what=f"{call.name} {url[:80]}")


def _search_effects(
    call: ToolCall, query: str | None, folder: str, command: Command, where: Surroundings
) -> Iterator[Effect]:
    if call.kind is ToolKind.SEARCH and query:
        searched = resolve(Word(folder), command, where)
        if looks_for_keys(query, searched.place):
            what = f"{call.name} {searched.shown}"
            yield Effect(Action.READ_SECRET, "search", command, searched, what=what)
    for pattern in _globs(call):
        found = _on_path(Action.READ, call, command.replace(cwd=folder), Word(pattern, glob=True), where)
        yield found.replace(action=Action.LIST) if _only_names(call, found, where) else found


def _only_names(call: ToolCall, found: Effect, where: Surroundings) -> bool:
    """A listing says which files of the project there are, and nothing of what they hold."""
    if call.kind is not ToolKind.LIST or found.target is None or found.target.word.text.startswith("~"):
        return False
    return f"{found.target.path}/".startswith(f"{where.root}/")


def _on_path(action: Action, call: ToolCall, command: Command, word: Word, where: Surroundings) -> Effect:
    target = resolve(word, command, where)
    trees = is_foreign(call) and _takes_trees(call)
    return Effect(action, f"tool-{call.kind}", command, target, trees, what=f"{call.name} {target.shown}")


def _takes_trees(call: ToolCall) -> bool:
    from fairlead.packs.foreign.foreign_calls import deletes_trees

    return deletes_trees(call)


def _globs(call: ToolCall) -> Iterator[str]:
    """A search's own `pattern` is text to look for; a listing's is a glob."""
    for key in _GLOB_KEYS:
        value = call.input.get(key)
        if (
            isinstance(value, str)
            and value
            and not value.startswith("!")
            and (key != "pattern" or call.kind is ToolKind.LIST)
        ):
            yield value


def _patch_texts(tool_input: Mapping[str, object]) -> Iterator[str]:
    for key in _PATCH_KEYS:
        value = tool_input.get(key)
        if isinstance(value, str) and ("***" in value or "+++" in value):
            yield value
