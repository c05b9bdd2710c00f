"""Targets that another command supplies: `find -exec`, `xargs`, a loop over a glob."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.find_targets import found_targets, narrowed
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.following.interpreters import interpreter_for
from fairlead.shell.following.search_programs import fd_operands
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target, resolve
from fairlead.shell.script import Code, Command, Script, Word, stands_before
from fairlead.shell.unknown import Kind
from fairlead.shell.word_sets import names

_FINDERS = names("find gfind")
_SEEKERS = names("fd fdfind")
_OF_GIT = lazy(r"^(?:ls-files|status|diff|ls-tree)$")
_SHOWS_NAMES = names("--name-only --name-status")
_DATABASES_OF_NAMES = names("locate plocate mlocate slocate mdfind")
_FEEDING = names("xargs parallel")
_LOSING = (Action.DELETE, Action.TRUNCATE)
_WRITING = (Action.WRITE, Action.OVERWRITE)
_HOMES = (Place.HOME, Place.HOME_ROOT)
_SETTLED = frozenset(
    (
        Action.DELETE,
        Action.TRUNCATE,
        Action.MOVE_AWAY,
        Action.OVERWRITE,
        Action.WRITE,
        Action.READ,
        Action.CHANGE_PERMISSIONS,
        Action.CHANGE_OWNER,
    )
)


_BESIDE = lazy(r"[)}\w](?:\.(?:tmp|new|bak|orig|out|old|fixed|formatted)|~)\Z")
"""Names that are made of a listed one for a file beside it."""


def settled(effect: Effect, script: Script, sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """The effect itself, or one for each target that the supplying command names."""
    target = effect.target
    if target is None or target.word.known or effect.action not in _SETTLED:
        yield effect
        return
    if effect.action is Action.READ and (_is_fed(effect.command) or _is_printed(target.word)):
        yield from _picked(effect, sources, where)
    beside = effect.action not in _LOSING and _BESIDE.search(target.word.text)
    supplied = [] if beside else list(_supplied(effect.command, target.word, script, sources, where))
    if supplied:
        for found in supplied:
            yield effect.replace(target=found, recursive=effect.recursive or effect.action in _LOSING)
        if effect.action in _WRITING and target.place in _HOMES and _is_fed(effect.command):
            yield effect  # what is listed names something below a part that is known
    elif target.place is Place.UNKNOWN and _is_fed(effect.command):
        yield effect.replace(name="listed")
    else:
        yield effect


_READS_INPUT = lazy(
    r"sys\.stdin|\binput\(|STDIN|<>|\bgets\b|[$]_\b|process\.stdin|readline|/dev/stdin|fileinput|\bARGF\b"
)
_DELETES = lazy(
    r"\bos\.(?:remove|unlink|rmdir)\b|\.unlink\(|\b(?:rmtree|unlink|unlinkSync|rm_rf|rm_r|rmSync|remove_tree)\b"
    r"|\bFile\.delete\b|[\"'`]rm\s+-?\w?"
)


def deleted_by_code(code: Code, sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """`find … | perl -ne unlink`: code that deletes what a command before it lists."""
    command = code.command
    by_line = any(_BY_LINE.match(word.text) for word in command.argv[1:4])
    if not command.position or not _DELETES.search(code.text):
        return
    if by_line or _READS_INPUT.search(code.text):
        for before in sources.before(command):
            for target in _listed_by(before, Word(""), where):
                yield Effect(Action.DELETE, "code", command, target, True, what=f"{command.name} code")


_BY_LINE = lazy(r"-[A-Za-z0-9]*[np]")
"""Options of Perl and Ruby that run the code for each line."""


def _picked(effect: Effect, sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """`ls -a | grep '^.env' | xargs cat`: what is picked says what is read."""
    for before in sources.of(effect.command):
        if before.name in _DATABASES_OF_NAMES and before.argv[1:]:
            wanted = Word(f"*{before.argv[-1].text.strip('*')}", glob=True)
            yield effect.replace(target=resolve(wanted, effect.command, where))
        elif before.name in ("grep", "egrep", "rg") and before.argv[1:]:
            pattern = before.argv[-1].text.replace("\\", "")
            glob = pattern.strip("^$") if pattern.startswith("^") else f"*{pattern.strip('$')}"
            glob += "" if pattern.endswith("$") else "*"
            yield effect.replace(target=resolve(Word(glob, glob=True), effect.command, where))


def _is_fed(command: Command) -> bool:
    return any(wrapper.name in _FEEDING for wrapper in command.wrappers)


def _is_printed(word: Word) -> bool:
    return word.opaque is not None and word.opaque.has(Kind.OUTPUT)


def _supplied(
    command: Command, word: Word, script: Script, sources: Sources, where: Surroundings
) -> Iterator[Target]:
    if word.opaque is None:
        return
    if word.opaque.only(Kind.MATCH):
        yield resolve(word.replace(opaque=None, glob=True), command, where)
        return
    for index, wrapper in enumerate(command.wrappers):
        if wrapper.name in _FINDERS or wrapper.name in _SEEKERS:
            finding = command.replace(argv=wrapper.argv, wrappers=command.wrappers[:index])
            yield from _listed_by(finding, word, where)
            return
    if word.opaque.has(Kind.FOUND_BY_FIND):
        last = command.replace(start=command.end)
        earlier = (other for other in reversed(script.commands) if not stands_before(last, other))
        finder = next((other for other in earlier if other.name in _FINDERS), None)
        finder = finder or next((other for other in script.commands if other.name in _FINDERS), None)
        for found in found_targets(finder, where) if finder is not None else ():
            yield found.replace(pattern=found.pattern + _ending(word)) if found.pattern else found
        return
    if not _is_fed(command) and not _is_printed(word):
        return
    for before in sources.of(command):
        yield from _listed_by(before, word, where)


def _ending(word: Word) -> str:
    """What stands behind the name that was listed: `/off` of `$folder/off`."""
    known = word.ending
    return known if known.startswith("/") and known.strip("/") else ""


def _listed_by(command: Command, word: Word, where: Surroundings) -> Iterator[Target]:
    operands = [operand for operand in command.argv[1:] if not operand.text.startswith("-")]
    if command.name in _FINDERS:
        yield from found_targets(command, where)
    elif command.name in _SEEKERS:
        wanted, starts = fd_operands(command.argv)
        for start in starts or [Word(".")]:
            target = resolve(start, command, where)
            yield narrowed(target, [wanted]) if wanted else target
    elif command.name == "ls":
        ending = _ending(word)
        for listed in operands or [Word("*", glob=True)]:
            target = resolve(listed.replace(text=listed.text + ending), command, where)
            yield target if ending else target.replace(everything=True)
    elif command.name in ("which", "command", "type", "whereis") and operands:
        yield resolve(Word(f"/usr/bin/{operands[-1].text}"), command, where)
    elif command.name in ("realpath", "readlink") and operands:
        yield resolve(operands[-1], command, where)
    elif command.name == "dirname" and operands:
        yield resolve(operands[-1].replace(text=f"{operands[-1].text}/.."), command, where)
    elif command.name == "xdg-user-dir":
        yield resolve(Word(f"{where.home}/Documents"), command, where)
    elif interpreter_for(command.name) is not None:
        yield from _printed_by_code(command, where)
    elif command.name == "git" and operands:
        yield from _listed_by_git(command, operands[0].text, word, where)


def _printed_by_code(command: Command, where: Surroundings) -> Iterator[Target]:
    """`$(node -p 'os.homedir()')`: code that prints a path below the home."""
    from fairlead.shell.effects.code.python.python_code import printed_texts
    from fairlead.shell.effects.code.text.home_spellings import with_home  # only where there is code to read

    for word in command.argv[2:4]:
        found = printed_texts(word.text, where.home, command.cwd or "/")
        for text in found or _LITERAL.findall(with_home(word.text, command.name, where.home)):
            if text.startswith("/"):
                yield resolve(Word(text), command, where)


_LITERAL = lazy(r"""["']([^"'\n]{1,400})["']""")


def _listed_by_git(command: Command, subcommand: str, word: Word, where: Surroundings) -> Iterator[Target]:
    if any(argument.text == "--show-toplevel" for argument in command.argv):
        rest = word.text.rpartition(")")[2]
        yield resolve(Word(where.root + rest), command, where)
    elif not word.prefix and (_OF_GIT.match(subcommand) or (_SHOWS_NAMES & {a.text for a in command.argv})):
        yield resolve(Word("*", glob=True), command.replace(cwd=where.root), where)
