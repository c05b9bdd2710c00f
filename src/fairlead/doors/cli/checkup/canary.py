"""A forbidden and a harmless call through the installed command, as an agent would make them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.sample_calls import shell_call
from fairlead.doors.cli.checkup.finding import Finding, bad
from fairlead.doors.cli.installation.installing import client_of
from fairlead.doors.cli.output import Session
from fairlead.doors.hook.canaries import noted
from fairlead.journal.line import Record
from fairlead.journal.reader import read_segment, segment_paths
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import event_named
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict

_PATIENCE = 90.0
_TAIL = 1 << 20
FORBIDDEN, HARMLESS = "rm -rf /", "ls"


class Answer(Value):
    """`refused` is None when the agent would make neither head nor tail of it."""

    refused: bool | None
    said: str
    record: Record | None

    @property
    def verdict(self) -> Mapping[str, object]:
        found = (self.record or {}).get("verdict")
        return found if isinstance(found, dict) else {}

    @property
    def why(self) -> str:
        """From the record of the call: it knows who decided, and why."""
        if self.record is None and self.refused:
            return f"nothing could answer, or nothing could be written down ({self.said})"
        if self.record is None:
            return f"the command ended with {self.said}, and there is no record of the call"
        by = self.verdict.get("rule") or self.verdict.get("hook")
        who = f"{by} decided it" if by else "no hook had an opinion"
        if str(self.verdict.get("hook")).startswith("project/"):
            who += ", a rule of this project's own untrusted policy"
        reason = str(self.verdict.get("reason") or "")
        return f"{who}: {reason}" if reason else who

    @property
    def fix(self) -> str:
        if self.record is None:
            return "fairlead daemon logs"
        return f"fairlead explain {str(self.record.get('id'))[-8:]}"


def look_at_answers(session: Session, agent: str, project: str) -> Iterator[Finding]:
    with noted(session.places) as canary:
        forbidden = _ask(session, agent, FORBIDDEN, project=project, name=canary.name)
        harmless = _ask(session, agent, HARMLESS, project=project, name=canary.name)
    if forbidden.refused and forbidden.record is not None:
        yield Finding("refuses", "a forbidden call is refused")
    elif forbidden.refused:
        what = "a forbidden call is refused, but not on record: the client may have answered by itself"
        yield bad("refuses", what, why=forbidden.why, fix=forbidden.fix)
    elif forbidden.refused is None:
        what = f"a forbidden call is not answered in the words of {agent}: {forbidden.said}"
        yield bad("refuses", what, why=forbidden.why, fix=forbidden.fix)
    else:
        yield bad("refuses", "a forbidden call got through", why=forbidden.why, fix=forbidden.fix)
    if harmless.refused is False:
        yield Finding("passes", "a harmless call passes")
    else:
        asked = harmless.verdict.get("decision") == Decision.ASK.word
        what = "a harmless call is asked about" if asked else "a harmless call is refused"
        yield bad("passes", what, why=harmless.why, fix=harmless.fix)


def _ask(session: Session, agent: str, command: str, *, project: str, name: str) -> Answer:
    event, payload = shell_call(agent, command, cwd=project, session=name)
    line = client_of(session).line(agent, event)
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            input=json.dumps(payload).encode(),
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            cwd=project,
            env=_environment(),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Answer(None, str(error), None)
    said = (done.stderr or done.stdout).decode(errors="replace").strip()
    record = _record_of(session, name, command)
    return Answer(
        is_refusal(agent, event, name, done), f"exit code {done.returncode}, {said[:200]!r}", record
    )


def _environment() -> dict[str, str]:
    """Without what another agent, in whose terminal this may run, says of its own project."""
    return {name: value for name, value in os.environ.items() if not name.endswith("_PROJECT_DIR")}


def is_refusal(agent: str, event: str, session: str, done: subprocess.CompletedProcess[bytes]) -> bool | None:
    """None for an answer that the agent would make neither head nor tail of."""
    dialect, happened = dialect_named(agent), Event(event_named(event), event, agent, session=session)
    neutral = dialect.render(happened, Verdict())
    if (done.returncode, done.stdout) == (neutral.exit_code, neutral.stdout):
        return False
    model = dialect.render(happened, Verdict(Decision.BLOCK, "x"))
    said = b"Fairlead" in done.stdout + done.stderr
    return True if said and done.returncode == model.exit_code else None


def _record_of(session: Session, name: str, command: str) -> Record | None:
    """The line of this call, among the newest of the journal."""
    segments = segment_paths(os.path.join(session.places.state, "journal"))
    for path in reversed(segments[-2:]):
        found = [
            line.record
            for line in read_segment(path, max(0, os.path.getsize(path) - _TAIL))
            if line.record is not None and _is_that(line.record, name, command)
        ]
        if found:
            return found[-1]
    return None


def _is_that(record: Record, name: str, command: str) -> bool:
    facts = record.get("facts")
    tool = facts.get("tool") if isinstance(facts, dict) else None
    said = tool.get("input") if isinstance(tool, dict) else None
    return record.get("session") == name and isinstance(said, dict) and _names(said, command)


def _names(said: Mapping[str, object], command: str) -> bool:
    return any(value in (command, [command]) for value in said.values())
