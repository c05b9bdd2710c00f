"""What `fairlead status` finds on this machine, for a heartbeat.

It is asked in a process of its own: it looks at the settings of every agent, which takes modules and memory
that the agent of the fleet does without, and might hang on a disk that does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from fairlead.doors.daemon.lifecycle import environment
from fairlead.doors.fleet.running.starting import our_words
from fairlead.model.value import Value
from fairlead.policy.places import Places

_SECONDS = 60.0
_MOST_BYTES = 1024 * 1024
_MOST = 50

Row = Mapping[str, object]


class Examination(Value):
    """`rows` are what a person would look at, by name and state; `agents` those that are here."""

    build: str = ""
    rows: tuple[Row, ...] = ()
    agents: tuple[Row, ...] = ()
    off: bool = False
    mode: str = "enforce"


async def examined(places: Places) -> Examination:
    """One with a row that says so, where the look itself broke."""
    process = await asyncio.create_subprocess_exec(
        *our_words(places),
        "status",
        "--json",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd="/",
        env=environment(),
        limit=_MOST_BYTES,
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(), _SECONDS)
        return examination_of(json.loads(out[:_MOST_BYTES]))
    except (TimeoutError, ValueError) as error:
        why = "it took too long" if isinstance(error, TimeoutError) else "its answer cannot be read"
        return Examination(rows=({"name": "status", "state": why},))
    finally:
        with suppress(ProcessLookupError):
            process.kill()


def examination_of(data: Mapping[str, Any]) -> Examination:
    agents = [each for each in data.get("agents", ()) if isinstance(each, dict)][:_MOST]
    return Examination(
        build=str(data.get("own_build") or "")[:80],
        rows=tuple(_rows(data, agents)),
        agents=tuple(
            {
                "agent": str(each.get("agent")),
                "installed": each.get("state") == "installed",
                "proved": bool(each.get("proved")),
            }
            for each in agents
        ),
        off=data.get("off") is not None,
        mode="audit" if (data.get("audit") or {}).get("mode") == "audit" else "enforce",
    )


def _rows(data: Mapping[str, Any], agents: list[dict[str, Any]]) -> Iterator[Row]:
    for trouble in list(data.get("troubles", ()))[:_MOST]:
        yield {"name": "installation", "state": str(trouble.get("what"))[:200]}
    for agent in agents:
        yield {"name": str(agent.get("agent")), "state": str(agent.get("state"))}
    for problem in list(data.get("problems", ()))[:_MOST]:
        yield {"name": "policy", "state": str(problem)[:200]}
    if data.get("ignored_off_marker"):
        yield {"name": "off", "state": "a marker that does not count"}
