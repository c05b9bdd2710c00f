"""Feeds recorded payloads of several agents through `fairlead hook`, each in a process of its own.

Nothing is run but the hook itself, and everything it keeps goes to a temporary folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from fairlead.doors.cli.presentation.screen import screen_width, wants_colour
from fairlead.doors.cli.presentation.words import shown_decision
from fairlead.doors.cli.presentation.wrapping import wrapped
from fairlead.journal.reader import last
from fairlead.model.decision import DECISION_WORDS

HERE = Path(__file__).parent
INDENT = " " * 8
COLOURS = {"block": "red", "halt": "red", "ask": "yellow", "approve": "cyan"}


def main() -> int:
    rows = [json.loads(line) for line in (HERE / "payloads.jsonl").read_text().splitlines()]
    with tempfile.TemporaryDirectory(prefix="fairlead-demo-") as folder:
        project = Path(folder, "project")
        project.mkdir()
        subprocess.run(["git", "init", "--quiet", str(project)], check=True)
        results = [judge(row, Path(folder)) for row in rows]
    print("Recorded agent payloads, through the real hook path\n")
    print("\n".join(lines_of(results)))
    return 0


def lines_of(results: list[dict[str, Any]]) -> Iterator[str]:
    """What was asked, and below it what came of it."""
    wanted = wants_colour(os.environ)
    coloured = sys.stdout.isatty() if wanted is None else wanted
    for result in results:
        verdict = result["verdict"]
        decision = DECISION_WORDS[verdict["decision"]]
        word, width = shown_decision(decision), screen_width()
        head, *more = wrapped(f"{result['agent']} {result['event']}: {result['asked']}", width, first=INDENT)
        shown = click.style(f"{word:<8}", fg=COLOURS.get(word, "green")) if coloured else f"{word:<8}"
        yield f"{shown}{head.removeprefix(INDENT)}"
        yield from more
        if word != "pass":
            yield from wrapped(f"{verdict['reason']}  [{verdict['rule']}]", width, first=INDENT)


def judge(row: dict[str, Any], folder: Path) -> dict[str, Any]:
    payload = row["payload"]
    text = payload if isinstance(payload, str) else json.dumps(payload)
    for recorded in ("/work-dir", "/home/dev/acme"):
        text = text.replace(recorded, str(folder / "project"))
    home = folder / "home"
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-I", "-m", "fairlead", "--home", str(home), "hook", row["agent"], row["event"]],
        input=text.encode(),
        capture_output=True,
        cwd=folder / "project",
        env={**os.environ, "CLAUDE_CODE_SESSION_ATTENDED": "1"},
        check=False,
    )
    took = time.perf_counter() - started
    record: dict[str, Any] = last(str(home / "state" / "journal")) or {}
    reason = record["verdict"]["reason"].replace(f"{folder / 'project'}/", "")
    verdict = {**record["verdict"], "reason": reason}
    return {**row, "code": done.returncode, "seconds": took, "verdict": verdict}


if __name__ == "__main__":
    sys.exit(main())
