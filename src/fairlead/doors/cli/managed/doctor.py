"""`fairlead doctor --system`: what managed settings are worth, proved as an ordinary user of the machine.

Files are read, lines are run and agents are started with that user's rights: what root sees proves nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence

from fairlead.doors.cli.checkup.finding import Finding, Level, bad, guarded, note
from fairlead.doors.cli.managed.as_user import QUICK
from fairlead.doors.cli.managed.install import managed_agents
from fairlead.doors.cli.managed.program import machine_client, machine_places
from fairlead.doors.cli.managed.standing import changes_standing, forms_here, has_second_line
from fairlead.doors.cli.managed.users import User, ordinary_user, path_of, reads_same, require_root, run_as
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.progress import progress
from fairlead.policy.places import Places
from fairlead.policy.record import read_record
from fairlead.settings import files
from fairlead.settings.change import applied, is_ours
from fairlead.settings.system_files import fault
from fairlead.settings.system_ledger import SystemLedger

_FIX = "fairlead install --system"
_AS_USER = "fairlead.doors.cli.managed.as_user"
_SECONDS = 240


def look_as_user(session: Session, names: Sequence[str], user: str, *, quick: bool) -> list[Finding]:
    person = ordinary_user(user)
    require_root("prove managed settings as an ordinary user")
    places = machine_places(session)
    ledger = SystemLedger()
    agents = managed_agents(names) if names else [agent for agent in forms_here() if _is_there(agent, ledger)]
    found = guarded("program", lambda: _program(places, person))
    for agent in agents:
        with progress(f"trying {agent}"):
            found += [each.replace(agent=agent) for each in _agent(agent, places, person, quick=quick)]
    if not agents:
        found.append(bad("managed", "no agent has managed settings of ours", fix=_FIX))
    return found


def _is_there(agent: str, ledger: SystemLedger) -> bool:
    path = forms_here()[agent].path
    return path in ledger.entries or is_ours(files.read(path) or b"")


def _program(places: Places, user: User) -> Iterator[Finding]:
    record = read_record(places)
    for path in (machine_client(places).path, places.record):
        why = fault(path)
        yield bad("program", why, fix=_FIX) if why else Finding("program", f"only root writes {path}")
    done = run_as(user, [record.get("interpreter", ""), "-I", "-m", "fairlead", "--version"])
    if done.returncode == 0:
        yield Finding("answers", f"{user.name} can run what answers")
    else:
        why = done.stderr.decode(errors="replace").strip()[-200:]
        yield bad("answers", f"{user.name} cannot run what answers", why=why, fix=_FIX)


def _agent(agent: str, places: Places, user: User, *, quick: bool) -> list[Finding]:
    found = guarded("file", lambda: _files(agent, places, user))
    found += guarded("tried", lambda: _tried(agent, places, user, quick=quick))
    return [*found, *_ways_round(agent)]


def _files(agent: str, places: Places, user: User) -> Iterator[Finding]:
    fix = f"{_FIX} {agent}"
    for change in changes_standing(agent, places):
        content = files.read(change.path)
        why = fault(change.path)
        if content is None:
            yield bad("file", f"{change.path} is not there", fix=fix)
        elif why:
            yield bad("file", why, why=f"{agent} may skip it, or others may change it", fix=fix)
        elif not reads_same(user, change.path, content):
            yield bad(
                "file", f"{user.name} cannot read {change.path}", why="the agent runs as that user", fix=fix
            )
        elif applied(change, content) != content:
            yield bad("file", f"{change.path} has no longer all that was put there", fix=fix)
        else:
            yield Finding("file", f"{change.path} is whole, and {user.name} can read it")


def _tried(agent: str, places: Places, user: User, *, quick: bool) -> Iterator[Finding]:
    """By the line, and by the agent itself: it reads the machine's settings wherever its home is."""
    interpreter = read_record(places).get("interpreter", sys.executable)
    words = [interpreter, "-I", "-m", _AS_USER, agent, *([QUICK] if quick else [])]
    done = run_as(user, words, seconds=_SECONDS, path=path_of(user))
    try:
        rows: list[Mapping[str, str]] = json.loads(done.stdout)
    except ValueError:
        why = done.stderr.decode(errors="replace").strip()[-200:]
        yield bad("tried", f"nothing could be tried as {user.name}", why=why, fix=_FIX)
        return
    for row in rows:
        yield Finding(row["id"], row["what"], Level(row["level"]), why=row["why"], fix=row["fix"])


def _ways_round(agent: str) -> list[Finding]:
    managed = forms_here()[agent]
    found = [
        note("way round", f"it runs without its hooks by {way.switch} ({way.by})")
        for way in managed.ways_round
        if not (way.second_line_closes and has_second_line(agent))
    ]
    if managed.second and not has_second_line(agent):
        found.append(note("second line", f"it has none: {_FIX} --second-line {agent}"))
    if not managed.tried:
        found.append(
            note("tried", "this form stands in its documentation, and was never tried on a real one")
        )
    return found
