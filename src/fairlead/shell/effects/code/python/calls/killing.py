"""Calls that end processes: what counts is which ones were looked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word
from fairlead.shell.effects.code.python.running.thing import HOLE, Thing, deep_origins
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_FUNCTIONS = names("os.kill os.killpg signal.pidfd_send_signal")
_METHODS = names("kill terminate send_signal suspend")
LISTING = names("psutil.process_iter psutil.pids psutil.get_process_list")
_GENERAL = names("python python3 node java bash sh ruby php perl npm")
"""Programs that run others: the other name says which."""


def kill_acts(call: Call, run: Run) -> Iterator[Act]:
    if call.name in _FUNCTIONS:
        target = call.at(0, "pid")
        if call.at(1, "sig", "signal").number == 0:
            return
        if target.number in (-1, 1):
            yield Act(str(Action.KILL), name="kill-everything")
            return
    elif call.method in _METHODS and not call.given[1:]:
        target = call.owner
    else:
        return
    yield from _of(target, run)


def _of(target: Thing, run: Run) -> Iterator[Act]:
    sought = list(dict.fromkeys(name for group in run.sought for name in group))
    particular = [name for name in sought if name not in _GENERAL]
    wanted = particular or sought
    for kind, which in sorted(deep_origins(target)):
        if kind == "process":
            found = [which] if which != "*" else wanted
            yield from (Act("shell", f"pkill {as_word(name)}") for name in found)
            if not found:
                yield Act(str(Action.KILL), name="kill-everything")
        elif kind == "output" and _lists(which):
            narrowed = [f"{which} | grep {as_word(name)}" for name in wanted] or [which]
            for line in narrowed:
                yield Act("shell", f"kill $({line} | awk '{{print $2}}')" if wanted else f"kill $({line})")
        elif kind == "file" and HOLE not in which:
            yield Act("shell", f"kill $(cat {as_word(which)})")


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
