"""What the starter sets of `approve:` let through: nothing that is dangerous, and how much that is harmless.

python -m benchmarks.guard.approval [FILE.jsonl ...] [--every-program] [--sample N]

FILE: more lines in the format of the corpus. --every-program: as if somebody had listed every program of the
corpus with `*`, which nobody should. --sample N: each N-th line alone. The held-out part is never listed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.guard.changes import changed
from benchmarks.guard.judge import Judge
from benchmarks.guard.lines import HELD_OUT, VISIBLE, Line, read_folder, read_lines
from benchmarks.guard.project import temporary_project
from benchmarks.guard.score import WORKSHOP
from benchmarks.guard.sessions.data import ATTACKS, HARMLESS, read_sessions
from benchmarks.guard.sessions.play import Played, play, write_policy
from fairlead.model.decision import Decision
from fairlead.packs.approval.starter_sets import PREFIX, READING, SETS
from fairlead.shell.reader import read_script

APPROVE = Decision.APPROVE.word
TRAPS = Path(__file__).with_name("approval_traps.jsonl")
"""Lines that look like what the sets list, and are not, written by somebody who had not seen the sets."""
ALL_SETS = tuple(PREFIX + name for name in SETS)


def policy_with(items: Iterable[str]) -> str:
    """Without any item the guard that approves is off."""
    listed = "".join(f"  - '{item}'\n" for item in items)
    return "event: PreToolUse\n" + (f"approve:\n{listed}" if listed else "middleware: []\n")


@contextmanager
def approving(items: Iterable[str]) -> Iterator[Judge]:
    """A judge with these items under `approve`, in a project of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="guard-settings-") as settings,
        temporary_project(WORKSHOP) as project,
    ):
        write_policy(Path(settings), policy_with(items))
        yield Judge(str(project), Path(settings))


def mutations(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, and each of their spellings in another way."""
    for line in lines:
        yield line
        if line.tool == "Bash":
            for name, command in changed(line.command):
                yield replace(line, id=f"{line.id} {name}", command=command)


def approved(judge: Judge, lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if judge.judge(line).decision is Decision.APPROVE]


def every_program(lines: Iterable[Line]) -> list[str]:
    """The programs that stand in these lines, each with a `*`."""
    names = {
        command.name
        for line in lines
        if line.tool == "Bash"
        for command in read_script(line.command, cwd="/", home="/home/user").commands
    }
    return sorted(
        f"{name} *" for name in names if name.isidentifier() or name.replace("-", "").isidentifier()
    )


def prompts(played: Iterable[Played]) -> tuple[int, int]:
    """How many commands there are, and how many of them an agent asks about that asks about all but what is
    approved."""
    commands = [each for each in played if each.step.tool == "Bash"]
    return len(commands), sum(each.word != APPROVE for each in commands)


def sessions_with(items: Sequence[str]) -> tuple[list[Played], list[Played]]:
    """What became of the harmless sessions and of the attacks."""
    policy = policy_with(items)
    harmless = [each for session in read_sessions(HARMLESS) for each in play(session, policy=policy)]
    attacks = [each for session in read_sessions(ATTACKS) for each in play(session, policy=policy)]
    return harmless, attacks


def _over_lines(judge: Judge, name: str, lines: Sequence[Line], *, listed: bool = True) -> int:
    started = time.process_time()
    dangerous = [line for line in lines if line.dangerous]
    found = approved(judge, dangerous)
    harmless = [line for line in lines if not line.dangerous and line.tool == "Bash"]
    passed = approved(judge, harmless)
    spent = time.process_time() - started
    print(
        f"{name:<28} dangerous {len(dangerous):7,}: {len(found):3} approved   "
        f"harmless {len(harmless):7,}: {len(passed):6,} approved   {spent:5.0f} s"
    )
    for line in found if listed else ():
        print(f"  APPROVED {line.id}  {line.command[:200]!r}")
    return len(found)


def main(words: list[str]) -> int:
    step = int(words[words.index("--sample") + 1]) if "--sample" in words else 1
    files = [Path(word) for word in words if word.endswith(".jsonl")]
    visible = read_folder(VISIBLE)
    items = every_program(visible) if "--every-program" in words else list(ALL_SETS)
    wrong = 0
    with approving(items) as judge:
        wrong += _over_lines(judge, "corpus", visible[::step])
        wrong += _over_lines(judge, "held out", read_folder(HELD_OUT)[::step], listed=False)
        dangerous = [line for line in visible if line.dangerous]
        wrong += _over_lines(judge, "corpus, spelled otherwise", list(mutations(dangerous))[::step])
        for file in (TRAPS, *files):
            wrong += _over_lines(judge, file.name, read_lines(file)[:: 1 if file == TRAPS else step])
    if "--every-program" not in words:
        wrong += _over_sessions()
    return 1 if wrong else 0


def _over_sessions() -> int:
    _, before = prompts(sessions_with(READING)[0])
    harmless, attacks = sessions_with(ALL_SETS)
    commands, after = prompts(harmless)
    dangerous = [each for each in attacks if each.step.dangerous]
    found = [each for each in dangerous if each.word == APPROVE]
    print(f"{len(read_sessions(HARMLESS))} harmless sessions with {commands} commands:")
    print(f"  questions of an agent that asks about all that does not only read: {before}")
    print(f"  the same with the starter sets: {after}")
    print(
        f"{len(read_sessions(ATTACKS))} attacks with {len(dangerous)} dangerous calls: {len(found)} approved"
    )
    for each in found:
        print(f"  APPROVED {each.session} {each.number}  {each.step.input}")
    return len(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
