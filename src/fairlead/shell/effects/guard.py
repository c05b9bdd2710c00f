"""Commands that loosen the guard: Fairlead's own, and what takes the place of its programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import fits, same_reader, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.targets import Place, Surroundings, resolve

LOOSENING = (
    "trust|allow|approve|off|disable|uninstall|import|untrust|revoke|install|init|unlock",
    "daemon stop|restart|kill",
    "packs|hooks|pack|hook disable|enable",
    "policy set|edit|import",
    "journal prune|clear|delete|rotate|purge",
    "grants|grant *",
    "exceptions add|allow",
    "config set",
    "dashboard",
)


def _fairlead(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _own(command, 1)


def _own(command: Command, skipped: int) -> Iterator[Effect]:
    given = read_arguments(command.argv[skipped:], valued=("--home", "--policy", "--root"))
    words = [word.text for word in given.operands]
    if given.has("--help", "-h"):
        return
    if any(not word.known for word in given.operands[:2]) or any(
        fits(path.split(), words) for path in LOOSENING
    ):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))


_VERBS = frozenset(verb for path in LOOSENING for verb in path.split()[0].split("|"))
_FIRST_WORDS = 6
"""Where a verb stands, behind a few options."""


def _is_told_to_loosen(words: Sequence[Word]) -> bool:
    return any(word.text in _VERBS or not word.known for word in words[:_FIRST_WORDS])


def under_another_name(command: Command, where: Surroundings, *, listed: bool) -> Iterator[Effect]:
    """`./f off` after `ln -s …/fairlead f`, or after a copy. Only what is told to loosen is looked at."""
    program = command.argv[0]
    if not program.known or not _is_told_to_loosen(command.argv[1:]):
        return
    if "/" in program.text:
        is_own = not program.text.startswith(_SYSTEM_PROGRAMS) and _is_own_file(program, command, where)
    elif listed or all(word.text not in _VERBS for word in command.argv[1:_FIRST_WORDS]):
        return
    else:
        from fairlead.shell.own_program import is_own_command  # only where an unknown program is so told

        is_own = is_own_command(program.text, command.cwd, where.home, where.root)
    if is_own:
        yield from _own(command, 1)


_SYSTEM_PROGRAMS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/")


def _is_own_file(word: Word, command: Command, where: Surroundings) -> bool:
    from fairlead.shell.own_program import is_own_program

    target = resolve(word, command, where)
    return target.place is not Place.REMOTE and not word.glob and is_own_program(target.real or target.path)


_MODULE = lazy(r"-[bBdEiIOPqRsSuvx]*m(.*)")
_CODE = lazy(r"-[bBdEiIOPqRsSuvx]*c")


def python_program(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`python -m fairlead off`, `python copy-of-fairlead off`: the same by another door."""
    words = iter(enumerate(command.argv[1:], start=1))
    for index, word in words:
        module = _MODULE.fullmatch(word.text)
        if module is not None:
            apart = not module[1] and index + 1 < len(command.argv)
            name = command.argv[index + 1].text if apart else module[1]
            if name.split(".")[0] == "fairlead":
                yield from _own(command, index + (2 if apart else 1))
            return
        if word.text in ("-W", "-X", "--check-hash-based-pycs"):
            next(words, None)
        elif _CODE.match(word.text):
            return
        elif not word.text.startswith("-"):
            yield from _own_script(command, index, where)
            return


def _own_script(command: Command, index: int, where: Surroundings) -> Iterator[Effect]:
    script = command.argv[index]
    if not _is_told_to_loosen(command.argv[index + 1 :]):
        return
    if _OWN_PACKAGE.search(script.text) or _is_own_file(script, command, where):
        yield from _own(command, index + 1)


_OWN_PACKAGE = lazy(r"/fairlead(?:/__main__\.py)?/?$")
_OWN_PROGRAM = lazy(r"/bin/fairlead(?:-hook)?$")


def second_name(
    sources: Sequence[Word], destination: Word, command: Command, where: Surroundings
) -> Iterator[Effect]:
    """`ln -s $(which fairlead) f`: a name by which nobody recognises the guard's own program."""
    if destination.text.rsplit("/", 1)[-1] in ("", ".", "..", *_OWN_NAMES):
        return
    for word in sources:
        if word.known and (_OWN_PROGRAM.search(word.text) or _is_own_file(word, command, where)):
            yield Effect(Action.CHANGE_GUARD, "second-name", command, what=shown(command))
            return


_OWN_NAMES = ("fairlead", "fairlead-hook")


_OWN_NAME = lazy(r"^fairlead(?:-\w+)?(?:=|$)")


_UNASKED = lazy(r"\s--(?:dangerously-|yolo\b|skip-permissions|allow-all-tools|trust-all-tools|yes-always)")


def _renamed(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`alias fairlead-hook=true` and `hash -p /bin/true fairlead-hook` put something else in its place."""
    if len(command.argv) > 1 and any(_OWN_NAME.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    elif any(_UNASKED.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


_SETTINGS = lazy(r"^(?:FAIRLEAD_\w+|CLAUDE_CONFIG_DIR|CODEX_HOME|\w*DISABLE_(?:ALL_)?HOOKS)=")
"""What says where the guard and the agents find their settings."""


def _exported(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What Fairlead reads from the environment is set for everything that follows."""
    functions = any(word.text == "-f" for word in command.argv[1:])
    if functions and any(_OWN_NAME.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "loosen", command, what=shown(command))
    if any(_SETTINGS.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


def _hook(command: Command, where: Surroundings) -> Iterator[Effect]:
    """The program that agents start, with another home than the person's, or told to switch itself off."""
    yield from _own(command, 1)
    if any(name.startswith("FAIRLEAD_") for name in command.assignments):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))


TABLE: dict[str, EffectReader] = {
    "fairlead": _fairlead,
    "fairlead-hook": _hook,
    **same_reader(_renamed, "alias hash enable"),
    **same_reader(_exported, "export declare setx"),
}
