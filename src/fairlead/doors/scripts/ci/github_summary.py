"""The summary of a step: a table of what ran, and the end of what failed."""

from __future__ import annotations

from html import escape

from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.running import Ran
from fairlead.doors.scripts.script_hooks import HookRun

_MOST_ROWS = 200
_MOST_FAILURES = 10
_LAST_LINES = 40
_LINE = 500


def summary(run: HookRun, masks: Masks) -> str:
    """In HTML, where everything that a hook chose is text."""
    rows = [_row(ran) for ran in run.ran[:_MOST_ROWS]]
    if len(run.ran) > _MOST_ROWS:
        rows.append(f"<tr><td>and {len(run.ran) - _MOST_ROWS} more</td><td></td><td></td></tr>")
    head = "<tr><th>implementation</th><th>result</th><th>seconds</th></tr>"
    table = "".join(rows) or "<tr><td>nothing implements it</td><td></td><td></td></tr>"
    failed = [ran for ran in run.ran if ran.exit_code != 0][:_MOST_FAILURES]
    asked = f"<p>It asks for: <code>{_text(run.flow.result)}</code></p>\n" if run.flow.result else ""
    return (
        f"<h3>Hook <code>{_text(run.hook)}</code>: exit code {run.exit_code}</h3>\n"
        f"<table>{head}{table}</table>\n{asked}{''.join(_output(ran, masks) for ran in failed)}\n"
    )


def _row(ran: Ran) -> str:
    result = "timed out" if ran.timed_out else f"exit code {ran.exit_code}" if ran.exit_code else "ok"
    return f"<tr><td><code>{_text(ran.name)}</code></td><td>{result}</td><td>{ran.seconds:.2f}</td></tr>"


def _output(ran: Ran, masks: Masks) -> str:
    masks.end()
    lines = [
        _text(text[:_LINE]) for text in masks.lines([line.text for line in ran.timeline.lines[-_LAST_LINES:]])
    ]
    body = "&#10;".join(lines)  # no blank line may end the block
    return f"<details><summary>{_text(ran.name)}</summary><pre>{body}</pre></details>\n"


def _text(text: str) -> str:
    """On one line, so that no Markdown begins in it."""
    return escape(" ".join(text.splitlines()).encode("utf-8", "replace").decode())
