"""What a hook did, as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.running import Ran
from fairlead.doors.scripts.script_hooks import HookRun
from fairlead.model.timeline import Line


def run_json(run: HookRun, warnings: Sequence[str], masks: Masks | None = None) -> dict[str, object]:
    """With `masks` it is for others to read: without secrets."""
    variables = dict(run.variables) if masks is None else masks.variables(run.variables)
    return {
        "hook": run.hook,
        "exit_code": run.exit_code,
        "ran": [_ran_json(ran, masks) for ran in run.ran],
        "skipped": [{"path": each.path, "why": each.why} for each in run.skipped],
        "variables": variables,
        "flow": {
            "terminate": run.flow.terminate,
            "exit_code": run.flow.exit_code,
            "route": run.flow.route if masks is None else masks.text(run.flow.route),
            "timeout": run.flow.timeout,
            "result": run.flow.result,
        },
        "warnings": [each if masks is None else masks.text(each) for each in warnings],
    }


def _ran_json(ran: Ran, masks: Masks | None) -> dict[str, object]:
    return {
        "name": ran.name,
        "kind": ran.kind,
        "exit_code": ran.exit_code,
        "signal": ran.signal,
        "timed_out": ran.timed_out,
        "tries": ran.tries,
        "earlier": [_ran_json(each, masks) for each in ran.earlier],
        "seconds": round(ran.seconds, 6),
        "exact": ran.timeline.exact,
        "truncated": ran.timeline.truncated,
        "dropped": ran.timeline.dropped,
        "timeline": _timeline_json(ran.timeline.lines, masks),
    }


def _timeline_json(lines: Sequence[Line], masks: Masks | None) -> list[dict[str, object]]:
    texts: Sequence[str] = [line.text for line in lines]
    if masks is not None:
        masks.end()
        texts = masks.lines(texts)
    return [_line_json(line, text) for line, text in zip(lines, texts, strict=True)]


def _line_json(line: Line, text: str) -> dict[str, object]:
    """The text is a view; where it is not the bytes, they are there as hexadecimal digits."""
    shown: dict[str, object] = {"stream": int(line.stream), "seconds": round(line.seconds, 6), "text": text}
    if text == line.text and text.encode() != line.data:
        shown["bytes"] = line.data.hex()
    if not line.ended:
        shown["ended"] = False
    return shown
