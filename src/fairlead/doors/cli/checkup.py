"""What `fairlead doctor` looks at. Each finding that is bad says what to do."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

from fairlead.dialects.installs import INSTALLS, READS_TOO, Site, changes_for
from fairlead.dialects.samples import SESSION, shell_call
from fairlead.dialects.switches import switched_off
from fairlead.dialects.table import dialect_named
from fairlead.doors.cli.installing import built_client, client_of, ledger_of, place_client, site_of
from fairlead.doors.cli.output import Session
from fairlead.errors import FairleadError, SettingsError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import event_named
from fairlead.model.value import Value
from fairlead.model.verdict import Verdict
from fairlead.policy.off import ignored_marker, read_off
from fairlead.policy.problem import WARNING
from fairlead.settings import files
from fairlead.settings.change import Change, applied, is_ours
from fairlead.settings.checks import problems_in

Repair = Callable[[], None]
_NUMBERS = re.compile(r"\d+(?:\.\d+)+")


class Finding(Value):
    """`ok` is false for what leaves an agent unguarded, or would; `repair` is safe to do unasked."""

    what: str
    ok: bool = True
    fix: str = ""
    repair: Repair | None = None


def look_at_fairlead(session: Session) -> Iterator[Finding]:
    yield Finding(f"interpreter {sys.executable}, Python {sys.version.split()[0]}")
    yield from _client(session)
    yield from _daemon(session)
    yield from _policy(session)
    off = read_off(session.places)
    if off is not None:
        yield Finding(f"Fairlead is off {off.words()}", ok=False, fix="fairlead on")
    ignored = ignored_marker(session.places)
    if ignored:
        yield Finding(f"off-marker: {ignored}", ok=False, fix="fairlead on")
    yield _journal(session)


def _client(session: Session) -> Iterator[Finding]:
    path = client_of(session).path
    repair = Finding("", ok=False, fix="fairlead install", repair=lambda: _place(session))
    if not os.access(path, os.X_OK):
        yield repair.replace(what=f"client {path} is missing")
        return
    recorded = _recorded(path)
    interpreter = recorded.get("interpreter", "")
    if not os.access(interpreter, os.X_OK):
        yield repair.replace(
            what=f"client {path} falls back to {interpreter or 'no interpreter'}, which is not there"
        )
    elif _content(path) != _content(built_client()):
        yield repair.replace(what=f"client {path} is of another build than this package")
    else:
        yield Finding(f"client {path}")


def _place(session: Session) -> None:
    place_client(session)


def _recorded(client: str) -> dict[str, str]:
    lines = (_content(f"{client}.record") or b"").decode(errors="replace").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _daemon(session: Session) -> Iterator[Finding]:
    from fairlead.doors.daemon import control

    facts = control.ping(session.places)
    if facts is None:
        yield Finding("daemon is not running; the next call starts it")
        return
    yield Finding(f"daemon process {facts['pid']}, fairlead {facts['version']}")
    for problem in facts["problems"]:
        yield Finding(f"daemon: {problem}", ok=False, fix="fairlead daemon restart")


def _policy(session: Session) -> Iterator[Finding]:
    from fairlead.assembly import policy_for

    policy = policy_for(session.places, site_of("user").project, "")
    for problem in policy.problems:
        yield Finding(f"policy: {problem}", ok=problem.severity == WARNING, fix="fairlead policy check")
    if not policy.problems:
        yield Finding("policy loads without a problem")


def _journal(session: Session) -> Finding:
    folder = os.path.join(session.places.state, "journal")
    there = folder if os.path.isdir(folder) else session.places.state
    while not os.path.isdir(there):
        there = os.path.dirname(there)
    if os.access(there, os.W_OK):
        return Finding(f"journal {folder}")
    return Finding(
        f"journal {folder} cannot be written", ok=False, fix=f"give yourself the right to write {there}"
    )


def look_at_agent(session: Session, agent: str) -> Iterator[Finding]:
    """Everything about one agent. Not installed is no fault: nobody asked for it."""
    sites = [site for site in (site_of("user"), site_of("project")) if _is_installed(session, agent, site)]
    if not sites:
        yield Finding(f"{agent}: not installed")
        return
    for site in sites:
        for change in changes_for(agent, site, client_of(session)):
            yield from _settings(session, agent, site, change)
    yield from _duplicates(session, agent, twice=len(sites) > 1)
    yield from _version(agent)
    for path, setting in switched_off(agent, sites[0].project):
        fix = f"remove {setting} from {path}"
        yield Finding(f"{agent}: {path} switches hooks off ({setting})", ok=False, fix=fix)
    yield from _canary(session, agent)


def _duplicates(session: Session, agent: str, *, twice: bool) -> Iterator[Finding]:
    """No fault: one call that is asked twice is answered alike, and is one in the journal."""
    others = [
        f"those of {other} ({scope})"
        for other, scope in READS_TOO.get(agent, ())
        if _is_installed(session, other, site_of(scope))
    ]
    sources = [*(["those of the project"] if twice else []), *others]
    if sources:
        also = ", ".join(sources)
        yield Finding(f"{agent}: beside its own hooks it runs {also}; such a call is counted once")


def _version(agent: str) -> Iterator[Finding]:
    """What is on the path, beside what was tried: a newer one may read its hooks otherwise."""
    install = INSTALLS[agent]
    program = next((found for name in install.programs if (found := shutil.which(name))), None)
    if program is None:
        return
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False)
        version = _NUMBERS.search(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        version = None
    here = version[0] if version is not None else "of unknown version"
    tried = f"tried with {install.tried}" if install.tried else "never tried with a real client"
    yield Finding(f"{agent}: {program} is {here}; {tried}")


def _is_installed(session: Session, agent: str, site: Site) -> bool:
    """By the file that holds the hooks; other files of an agent may serve several places."""
    known = {entry.path for entry in ledger_of(session).of(agent, site.scope)}
    try:
        path = changes_for(agent, site, client_of(session))[0].path
        return path in known or is_ours(files.read(path) or b"")
    except SettingsError:
        return bool(known)


def _settings(session: Session, agent: str, site: Site, change: Change) -> Iterator[Finding]:
    try:
        current = files.read(change.path)
        right = current is not None and applied(change, current) == current
    except SettingsError as error:
        yield Finding(f"{agent}: {error.message}", ok=False, fix="mend the file by hand")
        return
    if right:
        yield Finding(f"{agent}: {change.path}")
    else:
        yield Finding(
            f"{agent}: {change.path} is not as `install` left it",
            ok=False,
            fix=f"fairlead install {agent}{' --project' if site.scope == 'project' else ''}",
            repair=lambda: _install(session, agent, site, change),
        )
    for problem in problems_in(agent, change.path, current or b""):
        yield Finding(f"{agent}: {problem}", ok=False, fix="mend the file: agents drop such hooks in silence")


def _install(session: Session, agent: str, site: Site, change: Change) -> None:
    ledger_of(session).install(change, agent=agent, scope=site.scope)


def _canary(session: Session, agent: str) -> Iterator[Finding]:
    """A forbidden and a harmless call through the installed command, as the agent would make them."""
    fix = "fairlead explain --last shows what was judged"
    refused = _ask(session, agent, "rm -rf /")
    if refused:
        yield Finding(f"{agent}: a forbidden call got through: {refused}", ok=False, fix=fix)
    else:
        yield Finding(f"{agent}: a forbidden call is refused")
    passed = _ask(session, agent, "ls")
    if passed == "it was not refused":
        yield Finding(f"{agent}: a harmless call passes")
    else:
        yield Finding(
            f"{agent}: a harmless call is refused: {passed or 'see the journal'}", ok=False, fix=fix
        )


def _ask(session: Session, agent: str, command: str) -> str:
    """Empty when the call was refused in the agent's own words; else what happened instead."""
    event, payload = shell_call(agent, command, site_of("user").project)
    words = client_of(session).words(agent, event)
    try:
        done = subprocess.run(
            words, input=json.dumps(payload).encode(), capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    neutral = dialect_named(agent).render(Event(event_named(event), event, agent), Verdict())
    if (done.returncode, done.stdout) == (neutral.exit_code, neutral.stdout):
        return "it was not refused"
    model = dialect_named(agent).render(
        Event(event_named(event), event, agent, session=SESSION), Verdict(Decision.BLOCK, "x")
    )
    if done.returncode != model.exit_code or (b"Fairlead" not in done.stdout + done.stderr):
        return f"exit code {done.returncode}, {done.stderr[:200].decode(errors='replace')!r}"
    return ""


def guarded_agents(session: Session) -> list[str]:
    """Those that are installed in either scope."""
    scopes = ("user", "project")
    return [
        agent for agent in INSTALLS if any(_is_installed(session, agent, site_of(scope)) for scope in scopes)
    ]


def look(session: Session, agents: list[str]) -> Iterator[Finding]:
    try:
        yield from look_at_fairlead(session)
        for agent in agents:
            yield from look_at_agent(session, agent)
    except FairleadError as error:
        yield Finding(error.message, ok=False, fix=error.hint)
