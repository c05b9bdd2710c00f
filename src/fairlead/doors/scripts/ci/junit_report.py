"""What a hook did, as JUnit XML: one test case for each implementation, with its timeline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.running import Ran
from fairlead.doors.scripts.script_hooks import HookRun
from fairlead.model.timeline import Line

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_LINES = 2000
"""Of one implementation: its first and its last."""


def junit(run: HookRun, masks: Masks) -> str:
    seconds = sum(ran.seconds for ran in run.ran)
    failures = sum(ran.exit_code != 0 for ran in run.ran)
    skipped = len(run.skipped)
    counts = f'tests="{len(run.ran) + skipped}" failures="{failures}" errors="0" skipped="{skipped}"'
    cases = [_case(run.hook, ran, masks) for ran in run.ran]
    cases += [
        f'    <testcase classname={_attribute(run.hook)} name={_attribute(each.path)} time="0.000">'
        f"<skipped message={_attribute(each.why)}/></testcase>\n"
        for each in run.skipped
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
        f'  <testsuite name={_attribute(run.hook)} {counts} time="{seconds:.3f}">\n'
        f"{''.join(cases)}  </testsuite>\n</testsuites>\n"
    )


def _case(hook: str, ran: Ran, masks: Masks) -> str:
    failure = ""
    if ran.exit_code != 0:
        failure = f"<failure message={_attribute(_why(ran))}/>"
    name, seconds = _attribute(ran.name), f"{ran.seconds:.3f}"
    output = "\n".join(line for each in (*ran.earlier, ran) for line in _shown(each, ran, masks))
    return (
        f'    <testcase classname={_attribute(hook)} name={name} time="{seconds}">'
        f"{failure}<system-out>{escape(_xml(output))}</system-out></testcase>\n"
    )


def _why(ran: Ran) -> str:
    return "timed out" if ran.timed_out else f"exit code {ran.exit_code}"


def _shown(each: Ran, last_try: Ran, masks: Masks) -> list[str]:
    """What one try printed, and how it ended if there was another."""
    masks.end()
    first, missing, last = each.timeline.ends(_MOST_LINES // 2, _MOST_LINES // 2)
    between = [f"({missing} lines are not shown)"] if missing else []
    after = [] if each is last_try else [f"({_why(each)}; it was tried again)"]
    return [*_with_times(first, masks), *between, *_with_times(last, masks), *after]


def _with_times(lines: Sequence[Line], masks: Masks) -> list[str]:
    """Seconds since the start, the stream, the line."""
    texts = masks.lines([line.text for line in lines])
    both = zip(lines, texts, strict=True)
    return [f"{line.seconds:.3f} {line.stream.value}: {text}" for line, text in both]


def _xml(text: str) -> str:
    """XML has no place for most control characters, not even escaped."""
    return _NOT_XML.sub("\ufffd", text)


def _attribute(text: str) -> str:
    return quoteattr(_xml(text))
