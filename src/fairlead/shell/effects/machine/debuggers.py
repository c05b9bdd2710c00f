"""Debuggers: what they read out of the memory of a process, and processes that they end."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import option_values
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.touched_paths import touched
from fairlead.shell.effects.machine.searched_processes import effects_of_search
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command

_DUMPING = lazy(r"\b(?:dump (?:binary )?(?:memory|value)|generate-core-file|gcore)\b|^process save-core")


_ATTACHED = lazy(r"^-p\d*$|^--(?:pid|attach-pid)\b|^attach ")
_ENDING = lazy(r"\bcall (?:\(\w+\) ?)?_?exit\(|^kill$|^signal SIG(?:KILL|TERM)")


_INJECTING = lazy(
    r"\b(?:call|compile|expr\w*|p|print)\b.{0,200}\b(?:system|popen|dlopen|__libc_dlopen\w*|exec[lv]\w*)\s*\("
)


def read_tracer(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """A service that is listened to while people log in to it; as root, what any process reads and writes."""
    attached = option_values(list(command.argv), "-p", "--attach", "--pid")
    unknown = [word.opaque for word in attached if word.opaque is not None]
    services = any(True for each in unknown for _ in effects_of_search(command, each.commands()))
    traced = " ".join(word.text for word in option_values(list(command.argv), "-e", "--trace"))
    as_root = any(wrapper.name in ("sudo", "doas") for wrapper in command.wrappers)
    if attached and (services or (as_root and _CONTENT.search(traced))):
        yield Effect(Action.READ_SECRET, "watch", command, what=shown(command))


_CONTENT = lazy(r"\b(?:read|write|recv\w*|send\w*)\b")


def read_debugger(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    if any(_DUMPING.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
    attached = any(_ATTACHED.match(word.text) for word in command.argv[1:])
    if attached and any(_ENDING.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.KILL, "kill-vital", command, what=shown(command))
    elif attached and any(_INJECTING.search(word.text) for word in command.argv[1:]):
        reason = "a process would run what it was not made for"
        yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, what=shown(command), detail=reason)
    yield from touched(command, where)
