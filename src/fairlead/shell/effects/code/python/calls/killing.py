"""Calls that end processes: what counts is which ones were looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word
from fairlead.shell.effects.code.python.running.searched_names import OF_USER, PORT
from fairlead.shell.effects.code.python.running.thing import HOLE, Thing, deep_origins
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_FUNCTIONS = names("os.kill os.killpg signal.pidfd_send_signal")
_METHODS = names("kill terminate send_signal suspend")
LISTING = names("psutil.process_iter psutil.pids psutil.get_process_list")
_FINDING = re.compile(r"^(?:\S*/)?(?:pgrep|pidof)(?=\s)(?!.*\|)")
"""As the command that ends what this one finds."""
_GENERAL = names("python python3 node java bash sh ruby php perl npm")
"""Programs that run others: the other name says which."""


def kill_command_acts(call: Call, run: Run) -> Iterator[Act]:
    """`os.system(f"kill {pid}")`, with a number that was looked for."""
    command = call.at(0, "args", "cmd", "command")
    words = [each.texts[0] for each in command.items or (command,) if each.texts]
    if words and words[0].split()[:1] in (["kill"], ["/bin/kill"]):
        yield from _of(command, run)


def kill_acts(call: Call, run: Run) -> Iterator[Act]:
    if call.name in _FUNCTIONS:
        target = call.at(0, "pid")
        if call.at(1, "sig", "signal").number == 0:
            return
        if ("parent", "") in target.origins:
            yield Act("shell", "kill $PPID")
        if target.number in (-1, 1):
            yield Act(str(Action.KILL), name="kill-everything")
            return
    elif call.method in _METHODS and not call.given[1:]:
        target = call.owner
        if target.name == "psutil.Process" and target.number == 1:
            yield Act(str(Action.KILL), name="kill-everything")
        if ("parent", "") in deep_origins(target) or target.name == "psutil.Process.parent":
            yield Act("shell", "kill $PPID")
    else:
        return
    yield from _of(target, run)


def _of(target: Thing, run: Run) -> Iterator[Act]:
    named = (name for group in run.sought for name in group if not name.startswith(PORT))
    sought = list(dict.fromkeys(named))
    particular = [name for name in sought if name not in _GENERAL]
    wanted = particular or sought
    for kind, which in sorted(deep_origins(target)):
        if kind == "process":
            found = [which] if which != "*" else wanted
            yield from (Act("shell", f"pkill {_sought(name)}") for name in found)
            if not found:
                yield Act(str(Action.KILL), name="kill-everything")
        elif kind == "range":
            yield Act(str(Action.KILL), name="kill-everything")
        elif kind == "port":
            ports = (name for group in run.sought for name in group if name.startswith(PORT))
            yield from (Act("shell", f"fuser -k {name.removeprefix(PORT)}/tcp") for name in ports)
        elif kind == "output" and _FINDING.match(which):
            yield Act("shell", _FINDING.sub("pkill", which))
        elif kind == "output" and _lists(which):
            yield from (Act("shell", f"pkill {_sought(name)}") for name in wanted)
            if not wanted:
                yield Act("shell", f"kill $({which})")
        elif kind == "file" and HOLE not in which:
            yield Act("shell", f"kill $(cat {as_word(which)})")


def _sought(name: str) -> str:
    return f"-u {as_word(name.removeprefix(OF_USER))}" if name.startswith(OF_USER) else as_word(name)


def _lists(line: str) -> bool:
    """A process that the code started itself is its own."""
    return line.split()[:1] != [] and line.split()[0].rpartition("/")[2] in (
        "ps",
        "pgrep",
        "pidof",
        "lsof",
        "fuser",
        "ss",
        "netstat",
    )
