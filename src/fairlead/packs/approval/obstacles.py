"""What keeps a call from being approved: each part of it that no list covers, or that could mean more."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fairlead.model.value import Value
from fairlead.packs.approval.computed_words import computed_word
from fairlead.packs.approval.git_obstacles import git_obstacles
from fairlead.packs.approval.line_words import (
    are_own_files,
    fits_outside,
    is_vague,
    leads_outside,
    links_outside,
    names_secret,
    outside_word,
    word_obstacle,
)
from fairlead.packs.approval.outputs import is_data, is_output, is_shown
from fairlead.packs.approval.pattern import Pattern, Patterns
from fairlead.packs.approval.plain_awk import is_plain_awk
from fairlead.packs.approval.runners import is_installed_tool, wrapper_obstacle
from fairlead.packs.approval.searched_secrets import follows_outside, shows_secrets
from fairlead.packs.approval.temporary_files import is_sessions_own, writes_new_file
from fairlead.packs.approval.variables import is_number, settings_elsewhere, strange_settings
from fairlead.packs.earlier.since_before import since_before
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.content import content_objections
from fairlead.packs.judging.file_evidence import whose
from fairlead.packs.judging.judge import find_matches
from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.judging.pack_table import PACKS
from fairlead.packs.project_files.owners import Bounds, is_installed
from fairlead.packs.rule import Level, Scene
from fairlead.sessions.memory import Memory
from fairlead.shell.effects.effect import Effect
from fairlead.shell.places.targets import Place
from fairlead.shell.script import Command, Redirect, Script, Word
from fairlead.shell.unknown_text import describe

INSIDE = frozenset((Place.PROJECT, Place.PROJECT_ROOT, Place.GENERATED, Place.TEMPORARY, Place.SINK))
_PLAIN_WAYS = ("$()", "function ", "{ }")
"""How a command may come to run that stands in the line all the same."""
_MOVES = "cd"
_AT = "-C"
_AWKS = ("awk", "gawk", "mawk", "nawk")
_TOOL_FOLDERS = ("node_modules", ".venv", "venv")
"""Where the programs of a project come from, and what these load."""
_EVERY_PACK = tuple(PACKS)


Use = tuple[Pattern, Command]


class Obstacle(Value):
    """`part` is what of the line is meant; empty for all of it."""

    part: str
    why: str


def obstacles(call: Call, patterns: Patterns, memory: Memory) -> Iterator[Obstacle]:
    """Nothing for a line that may be approved. What is cheap to see comes first."""
    script = call.script
    own = [
        _in_place(command, call.where.root)
        for command in script.commands
        if command.origin is None and not _is_git_hook(command)
    ]
    if not own or not call.where.project:
        why = "there is no command in it" if not own else f"{call.where.root or '/'} is no project"
        yield Obstacle("", why)
        return
    used: list[Use] = []
    for command in own:
        for why in _of_command(command, patterns, call, used, memory):
            yield Obstacle(_shown(command), why)
    yield from _of_variables(script, own)
    for opaque in script.opaque:
        yield Obstacle("", f"a part of it cannot be known: {describe(opaque.unknown)}")
    yield from _of_code(call, own)
    yield from _of_files(call, used, memory)
    for effect in call.effects:
        if effect.target is not None and effect.target_place not in INSIDE:
            if _is_name(effect, patterns, call) or _is_own_file(effect, call):
                continue
            yield Obstacle(_shown(effect.command), f"it touches {effect.target.shown}, outside the project")
    yield from objections(call, memory)


def _in_place(command: Command, root: str) -> Command:
    """`git -C FOLDER status` is what `git status` is in that folder."""
    words = command.argv
    if len(words) < 4 or command.name != "git" or words[1].text != _AT or command.cwd is None:
        return command
    if not words[2].known or words[2].glob:
        return command
    folder = os.path.normpath(os.path.join(command.cwd, words[2].text))
    return command.replace(argv=(words[0], *words[3:]), cwd=folder)


def _of_variables(script: Script, own: Sequence[Command]) -> Iterator[Obstacle]:
    before = {name: value for command in own for name, value in command.assignments.items()}
    for name in settings_elsewhere(script, before):
        yield Obstacle("", f"it sets {name}")
    for name in sorted(script.assumed_unset):
        yield Obstacle("", f"{name} may have a value, which cannot be known")
    for unknown in script.computed:
        if not all(map(is_number, unknown.parts())):
            yield Obstacle("", f"it computes with what may be no number: {describe(unknown)}")


def _of_code(call: Call, own: Sequence[Command]) -> Iterator[Obstacle]:
    """Code that stands in the line. Of awk it can be seen whether it does more than to print."""
    plain = []
    for code in call.script.code:
        if code.language == "awk" and code.opaque is None and is_plain_awk(code.text):
            plain.append(code.command)
        elif code.origin is None:
            yield Obstacle(_shown(code.command), f"it brings {code.language} of its own")
    for command in own:
        if command.name in _AWKS and command not in plain:
            yield Obstacle(_shown(command), "it cannot be known what its program does")


def _is_git_hook(command: Command) -> bool:
    """A file that git runs by itself: whose it is counts, not that no line names it."""
    return any(way.startswith("git hook ") for way in command.via)


def objections(call: Call, memory: Memory) -> Iterator[Obstacle]:
    """What any pack says of it at the strictest level, whatever the policy has switched off."""
    seen = call if memory.is_empty() else since_before(call, memory)
    if seen.effects:
        said = "" if call.is_shell else call.content
        scene = Scene(call.script, call.where, Inquiry(memory=memory), Level.PARANOID, memory, said)
        for match in find_matches(seen.effects, _EVERY_PACK, scene):
            yield Obstacle(_shown(match.effect.command), f"{match.rule.id} objects")
    for outcome in content_objections(call):
        yield Obstacle("", f"{outcome.rule} objects")


def _of_command(
    command: Command, patterns: Patterns, call: Call, used: list[Use], memory: Memory
) -> Iterator[str]:
    root = call.where.root
    words = [word.text for word in command.argv]
    moves = len(words) == 2 and words[0] == _MOVES
    pattern = patterns.fitting(words, root) if words and not moves else None
    yield from _around(command, pattern, call, memory)
    if not words:
        return
    for word in command.argv:
        why = word_obstacle(word, command.cwd)
        if why and not _is_printed_data(word, pattern, patterns, command, call):
            yield why
            return
    if words[0] == "git" and command.cwd is not None:
        yield from git_obstacles(words, command.cwd, call, memory)
    yield from _of_words(command, pattern, call, memory)
    if computed := computed_word(words):
        yield f"`{computed}` is computed with, which can run what stands in it"
    if shows_secrets(words, command.cwd or root):
        yield "it would show what files of secrets hold"
    if follows_outside(words, command.cwd or root, root):
        yield "it follows a link out of the project"
    if moves:
        return  # where later commands run is known, and is looked at with each of them
    if pattern is None:
        yield patterns.misfit(words, root)
        return
    used.append((pattern, command))
    if not pattern.takes_globs and any(map(is_vague, command.argv)):
        yield "it cannot be known which files it runs"


def _is_printed_data(
    word: Word, pattern: Pattern | None, patterns: Patterns, command: Command, call: Call
) -> bool:
    """What another command of the line prints, where it can only be data; never the program's name."""
    if pattern is None or word is command.argv[0]:
        return False
    if pattern.takes_outputs and is_shown(word):
        return True
    return is_output(word) and is_data(word, pattern, patterns, call)


def _is_name(effect: Effect, patterns: Patterns, call: Call) -> bool:
    """Whether what it touches is a name that git is told by git, and no path."""
    words = effect.command.argv
    pattern = patterns.fitting([word.text for word in words], call.where.root)
    return effect.target is not None and any(
        word.text == effect.target.shown and _is_printed_data(word, pattern, patterns, effect.command, call)
        for word in words
    )


def _is_own_file(effect: Effect, call: Call) -> bool:
    """Whether it is one of the files that a pattern fits, and they are all the project's. Where the line moves
    between folders, it cannot be known in which of them the pattern stood."""
    directory = effect.command.cwd
    if (
        effect.target is None
        or directory is None
        or {each.cwd for each in call.script.commands} != {directory}
    ):
        return False
    return any(
        word.text == effect.target.shown and are_own_files(word, directory, call.where.root)
        for word in effect.command.argv
    )


def _of_words(command: Command, pattern: Pattern | None, call: Call, memory: Memory) -> Iterator[str]:
    directory = command.cwd or call.where.root
    printed = pattern is not None and pattern.takes_outputs
    for word in command.argv[1:]:
        text = word.text
        if printed and not is_vague(word):
            continue  # a text, and no path
        if outside_word(text, directory, call.where.root) and not (
            pattern is not None and pattern.takes_globs and _is_own(text, call, memory)
        ):
            yield f"`{text}` is outside the project"
        elif links_outside(text, directory, call.where.root) and not _is_own(text, call, memory):
            yield f"`{text}` leads out of the project"
        elif is_vague(word) and fits_outside(word, directory, call.where.root):
            yield f"`{text}` fits a link out of the project"
        if names_secret(text, directory):
            yield f"`{text}` holds secrets, and even what is not shown of one tells something"


def _is_own(text: str, call: Call, memory: Memory) -> bool:
    """A temporary file that this session made, or the line before."""
    if is_sessions_own(text, memory, call.where.root):
        return True
    written = (
        redirect
        for command in call.script.commands
        for redirect in command.redirects
        if redirect.target.text == text
    )
    return any(writes_new_file(redirect, memory, call.where.root) for redirect in written)


def _around(command: Command, pattern: Pattern | None, call: Call, memory: Memory) -> Iterator[str]:
    """What stands about a command: variables, wrappers, redirections, and where it runs."""
    root = call.where.root
    if strange := list(strange_settings(command)):
        yield f"it sets {', '.join(strange)}"
    for wrapper in command.wrappers:
        if why := wrapper_obstacle(wrapper, command, pattern, call.where, memory):
            yield why
    for way in command.via:
        if not way.startswith(_PLAIN_WAYS):
            yield f"it runs through `{way}`"
    for redirect in command.redirects:
        if not _adds_nothing(redirect, command, call, memory):
            yield f"`{redirect.operator} {redirect.target.text}` writes, or reads from elsewhere"
    path = command.stdin.path
    if path is not None and (not path.known or outside_word(path.text, command.cwd or "/", root)):
        yield f"it is fed from `{path.text}`"
    if command.cwd is None or command.cwd_else:
        yield "it cannot be known in which folder it runs"
    elif outside_word(command.cwd, "/", root) or leads_outside(command.cwd, root):
        yield f"it runs in {command.cwd}, outside the project"


def _adds_nothing(redirect: Redirect, command: Command, call: Call, memory: Memory) -> bool:
    target = redirect.target
    if not target.known or target.glob:
        return False
    if target.text == "/dev/null" or (
        redirect.operator in (">&", "<&") and (target.text.isdigit() or target.text == "-")
    ):
        return True
    if redirect.operator == "<":
        return not outside_word(target.text, command.cwd or "/", call.where.root)
    return writes_new_file(redirect, memory, call.where.root)


def _of_files(call: Call, used: Sequence[Use], memory: Memory) -> Iterator[Obstacle]:
    """A file that it runs must be what the last commit has. Git's own settings and hooks are in no commit: they
    must not be this session's."""
    for unread in call.script.unread:
        if unread.path in call.left and is_installed_tool(unread.path, call.where):
            continue
        yield Obstacle(unread.path, f"it would run and was not read ({unread.why})")
    for file in call.files:
        if file.owner == "committed":
            continue
        if "/.git/" in f"{file.real}/" and not memory.wrote(file.real) and not memory.fetched(file.real):
            continue
        yield Obstacle(_below(file.path, call), f"it would run, and was {whose(file.owner)}")
    loads = {name for pattern, _ in used for name in pattern.loads}
    if not loads:
        return
    yield from _of_installed(call, used, memory)

    from fairlead.packs.approval import loaded_files  # only for what runs the project's own code

    folders = {call.where.root, *(c.cwd for c in call.script.commands if c.cwd)}
    given = {path for use in used if use[0].runs_operands for path in _given_files(use[1])}
    members = {name for pattern, _ in used for name in pattern.members}
    if members:
        given.update(loaded_files.member_files(call.where.root, members))
    read = {file.path for file in call.files}
    for path in loaded_files.uncommitted(folders, loads, given, call.where, memory):
        if path not in read:
            yield Obstacle(_below(path, call), "it would be loaded, and is not what the last commit has")


def _of_installed(call: Call, used: Sequence[Use], memory: Memory) -> Iterator[Obstacle]:
    """Programs of a project and what these load count as installed until this session writes there."""
    for folder in {command.cwd for _, command in used if command.cwd}:
        if is_installed(f"{folder}/", Bounds(call.where.project, call.where.home)):
            yield Obstacle(
                _below(folder, call), "what it would run was installed there, and is not the project's"
            )
    for folder in _TOOL_FOLDERS:
        for note in memory.written_within(f"{call.where.root}/{folder}"):
            yield Obstacle(_below(note.subject, call), "it may run, and this session wrote it")


def _given_files(command: Command) -> Iterator[str]:
    """Those among its words, where it runs them."""
    for word in command.argv[1:]:
        path = os.path.normpath(os.path.join(command.cwd or "/", word.text.partition("::")[0]))
        if os.path.isfile(path):
            yield path


def _below(path: str, call: Call) -> str:
    return os.path.relpath(path, call.where.root) if path.startswith(f"{call.where.root}/") else path


def _shown(command: Command) -> str:
    return " ".join(word.text for word in command.argv)[:200]
