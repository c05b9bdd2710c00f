"""Tries the managed hooks of one agent as the user that runs this, and tells as JSON what came of it.

`doctor --system` starts it with an ordinary user's rights. First the line of the agent's gate, by a shell: as
it is, and as if the program were gone. Then, unless it is told to be quick, the agent itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.sample_calls import gate_of, shell_call
from fairlead.dialects.setup.shell_line import command_line
from fairlead.doors.cli.checkup.canary import FORBIDDEN, HARMLESS, is_refusal
from fairlead.doors.cli.checkup.finding import Finding, bad, note
from fairlead.doors.cli.live.trial import try_live
from fairlead.doors.cli.managed.program import machine_client, machine_places
from fairlead.doors.cli.output import Session
from fairlead.doors.hook.canaries import noted

QUICK = "--quick"
_SECONDS = 90


def findings(agent: str, *, quick: bool) -> Iterator[Finding]:
    session = Session("")
    with noted(session.places) as canary:
        yield from _lines(session, agent, canary.name)
    if not quick:
        yield from try_live(session, agent)


def _lines(session: Session, agent: str, name: str) -> Iterator[Finding]:
    client = machine_client(machine_places(session))
    event = gate_of(dialect_named(agent))
    whole = client.line(agent, event)
    gone = command_line([f"{client.path}.gone", agent, event], agent, event, told=client.told)
    for id, line, command, wanted, words in (
        ("refuses", whole, FORBIDDEN, True, "a forbidden call is refused"),
        ("passes", whole, HARMLESS, False, "a harmless call passes"),
        ("closes", gone, HARMLESS, True, "with the program gone, every call is refused"),
    ):
        native, payload = shell_call(agent, command, cwd="/", session=name)
        done = _run(line, json.dumps(payload).encode())
        refused = is_refusal(agent, native, name, done)
        if refused is wanted:
            yield Finding(id, words)
        elif id == "closes" and refused is None:
            yield note(id, "with the program gone, nothing but the agent itself closes it")
        else:
            why = f"exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()[:200]}"
            yield bad(id, f"not so: {words}", why=why, fix="fairlead install --system")


def _run(line: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
    words = ["/bin/sh", "-c", line]
    try:
        return subprocess.run(words, input=given, capture_output=True, timeout=_SECONDS, check=False, cwd="/")
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(words, -1, b"", str(error).encode())


def main(words: Sequence[str]) -> int:
    os.environ.setdefault("SHELL", "/bin/bash")
    rows = [finding.as_json() for finding in findings(words[0], quick=QUICK in words)]
    print(json.dumps([{key: str(row[key]) for key in ("id", "what", "level", "why", "fix")} for row in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
