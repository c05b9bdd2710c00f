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
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from fairlead.journal.reader import last

HERE = Path(__file__).parent
WIDTH = 150
COLOURS = {"block": "red", "halt": "red", "ask": "yellow", "approve": "cyan"}


def main(arguments: list[str]) -> int:
    """With an argument, also saves a picture of the table there."""
    rows = [json.loads(line) for line in (HERE / "payloads.jsonl").read_text().splitlines()]
    with tempfile.TemporaryDirectory(prefix="fairlead-demo-") as folder:
        project = Path(folder, "project")
        project.mkdir()
        subprocess.run(["git", "init", "--quiet", str(project)], check=True)
        table = show([judge(row, Path(folder)) for row in rows])
    console = Console(width=None if sys.stdout.isatty() else WIDTH, record=bool(arguments))
    console.print(table)
    if arguments:
        console.save_svg(arguments[0], title="make demo")
    return 0


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


def show(results: list[dict[str, Any]]) -> Table:
    table = Table(title="Recorded agent payloads, through the real hook path", title_justify="left")
    for name in ("agent", "event", "what was asked", "decision", "rule", "reason"):
        table.add_column(name, overflow="fold")
    table.add_column("exit", justify="right")
    table.add_column("ms", justify="right")
    for result in results:
        verdict = result["verdict"]
        decision = verdict["decision"]
        shown = decision if decision in COLOURS else "pass"
        reason = verdict["reason"] if shown != "pass" else ""
        table.add_row(
            result["agent"],
            result["event"],
            result["asked"],
            f"[{COLOURS.get(decision, 'green')}]{shown}[/]",
            verdict["rule"] if shown != "pass" else "",
            reason if len(reason) <= 110 else reason[:107] + "...",
            str(result["code"]),
            f"{result['seconds'] * 1000:.0f}",
        )
    return table


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
