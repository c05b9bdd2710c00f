"""The same hunt, led by coverage: atheris makes the grammar's choices and keeps those that reach new code.

pip install atheris
python -m benchmarks.guard.fuzz_coverage [-max_total_time=SECONDS] [other options of libFuzzer]

Stops at the first text that breaks the guard or stalls it, and prints it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import walk_packages

import atheris

with atheris.instrument_imports(include=["fairlead"]):
    import fairlead.packs
    import fairlead.shell
    from benchmarks.guard.fuzz import fault_of
    from benchmarks.guard.grammar import Grammar
    from benchmarks.guard.judge import Judge
    from benchmarks.guard.lines import Line
    from benchmarks.guard.score import judging

    for room in (fairlead.packs, fairlead.shell):  # now, since much of them is imported when it is first met
        for module in walk_packages(room.__path__, f"{room.__name__}."):
            import_module(module.name)

DEPTH = 4
DANGER = "rm -rf /home/user"


def main() -> None:
    with judging(absent=True) as judge:
        atheris.Setup(sys.argv, lambda data: hunt(judge, data))
        atheris.Fuzz()


def hunt(judge: Judge, data: bytes) -> None:
    """A text of the choices in `data`, alone and after a delete that must still be seen."""
    choices = atheris.FuzzedDataProvider(data)
    text = Grammar(lambda options: options[choices.ConsumeIntInRange(0, len(options) - 1)]).script(DEPTH)
    for command, must_block in ((text, False), (f"{DANGER}\n{text}", True)):
        fault = fault_of(judge.judge(Line("coverage", command, "pass")), must_block=must_block)
        if fault:
            raise AssertionError(f"{fault}\n{command!r}")


if __name__ == "__main__":
    main()
