"""The settings of one agent, as that agent reads them."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.cline_neighbours import gates_of_others
from fairlead.dialects.setup.installs import INSTALLS, changes_for, hook_files
from fairlead.dialects.setup.off_switches import switched_off
from fairlead.dialects.setup.site import Site
from fairlead.doors.cli.checkup.finding import Finding, bad, note
from fairlead.doors.cli.checkup.others import other_clients
from fairlead.doors.cli.installation.installing import client_of, ledger_of, site_of
from fairlead.doors.cli.output import Session
from fairlead.errors import SettingsError
from fairlead.settings import files
from fairlead.settings.change import Change, OwnFile, applied, is_ours, taken_back
from fairlead.settings.checks import problems_in

_NUMBERS = re.compile(r"\d+(?:\.\d+)+")
_SHOWN = 160


def guarded_agents(session: Session) -> list[str]:
    """Those that are installed in either scope."""
    return [agent for agent in INSTALLS if installed_sites(session, agent)]


def installed_sites(session: Session, agent: str) -> list[Site]:
    sites = (site_of("user"), site_of("project"))
    return [site for site in sites if is_installed(session, agent, site)]


def is_installed(session: Session, agent: str, site: Site) -> bool:
    """By the file that holds the hooks; other files of an agent may serve several places."""
    known = _known(session, agent, site)
    try:
        paths = hook_files(changes_for(agent, site, client_of(session)))
        return any(path in known or is_ours(files.read(path) or b"") for path in paths)
    except SettingsError:
        return bool(known)


def _known(session: Session, agent: str, site: Site) -> set[str]:
    """What `install` wrote down; nothing when that cannot be read, which is a finding of its own."""
    try:
        return {entry.path for entry in ledger_of(session).of(agent, site.scope)}
    except SettingsError:
        return set()


def look_at_settings(session: Session, agent: str, sites: list[Site]) -> Iterator[Finding]:
    client = client_of(session)
    for site in sites:
        for change in changes_for(agent, site, client):
            yield from _file(session, agent, site, change)
    yield from _twice(session, agent, sites)
    yield from _beside(agent, sites[0])
    yield from _version(agent)
    ours = [client.line(agent, event) for event in dialect_named(agent).events]
    for path, setting in switched_off(agent, sites[0].project, home=sites[0].home, ours=ours):
        yield bad(
            "switch",
            f"{path} switches hooks off ({setting})",
            why=f"{agent} reads it, and then runs none of the hooks that `install` wrote",
            fix=f"remove {setting} from {path}",
        )


def _file(session: Session, agent: str, site: Site, change: Change) -> Iterator[Finding]:
    install = f"fairlead install {agent}{' --project' if site.scope == 'project' else ''}"
    try:
        current = files.read(change.path)
        wanted = applied(change, current)
    except SettingsError as error:
        why = f"{agent} cannot read it either, or reads something else"
        yield bad("settings", error.message, why=why, fix=f"mend {change.path} by hand, then {install}")
        return
    if current == wanted:
        yield Finding("settings", change.path)
    else:
        yield bad(
            "settings",
            f"{change.path} is not as `install` left it",
            why=_difference(current, wanted),
            fix=install,
            repair=lambda: _install(session, agent, site, change),
        )
    for problem in problems_in(agent, change.path, current or b""):
        why = "agents drop such hooks in silence"
        yield bad("settings", problem, why=why, fix=f"mend {change.path} by hand")
    yield from _other_clients(session, agent, site, change)


def _install(session: Session, agent: str, site: Site, change: Change) -> None:
    ledger_of(session).install(change, agent=agent, scope=site.scope)


def _difference(current: bytes | None, wanted: bytes) -> str:
    """The first line that is not as it should be."""
    if current is None:
        return "it is gone"
    lines = difflib.unified_diff(
        current.decode(errors="replace").splitlines(), wanted.decode(errors="replace").splitlines(), n=0
    )
    changed = [line for line in list(lines)[2:] if line[:1] in "+-" and line[1:].strip(" {}[],")]
    gone = [line[1:].strip() for line in changed if line[0] == "-"]
    new = [line[1:].strip() for line in changed if line[0] == "+"]
    there = next((line for line in gone if line not in new), "")
    missing = next((line for line in new if line not in gone), "")
    if not (missing or there):
        return "its lines are all there, and not where they should be"
    if missing and there:
        return f"it has `{there[:_SHOWN]}`, where `{missing[:_SHOWN]}` belongs"
    return f"`{missing[:_SHOWN]}` is not in it" if missing else f"`{there[:_SHOWN]}` is too much in it"


def _other_clients(session: Session, agent: str, site: Site, change: Change) -> Iterator[Finding]:
    """Commands of another installation beside ours: the agent runs both, and both have to answer."""
    current = files.read(change.path) or b""
    if isinstance(change, OwnFile):
        return
    for path in other_clients(current, client_of(session).path):
        gone = not os.access(path, os.X_OK)
        fix = (
            f"fairlead doctor {agent} --fix"
            if gone
            else f"fairlead uninstall {agent} && fairlead install {agent}"
        )
        what = f"{change.path} also runs {path}, of another installation"
        if not gone:
            yield note("second-client", what, why="both judge each call, and the stricter one wins", fix=fix)
            continue
        yield bad(
            "second-client",
            f"{what} that is gone",
            why=f"{agent} runs both for each call, and this one fails",
            fix=fix,
            repair=lambda: _clean(session, agent, site, change),
        )


def _clean(session: Session, agent: str, site: Site, change: Change) -> None:
    current = files.read(change.path)
    kept = taken_back(change.path, current or b"")
    if current is not None:
        files.replace(change.path, current, applied(change, kept))
    _install(session, agent, site, change)


def _twice(session: Session, agent: str, sites: list[Site]) -> Iterator[Finding]:
    """No fault: one call that is asked twice is answered alike, and is one in the journal."""
    others = [
        f"those of {other} ({scope})"
        for other, scope in INSTALLS[agent].reads_too
        if is_installed(session, other, site_of(scope))
    ]
    sources = [*(["those of the project"] if len(sites) > 1 else []), *others]
    if sources:
        also = ", ".join(sources)
        yield note("twice", f"beside its own hooks it runs {also}", why="such a call is counted once")


def _beside(agent: str, site: Site) -> Iterator[Finding]:
    """Hooks of others that change how a refusal has to be said."""
    for path in _OTHERS[agent](site.home, site.project) if agent in _OTHERS else ():
        why = f"it might give a refused call another input, so a refusal ends the run of {agent} beside it"
        yield note("neighbour", f"{path} is asked before each tool, too", why=why)


_OTHERS: Mapping[str, Callable[..., Iterator[str]]] = {"cline": gates_of_others}


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
    yield Finding("version", f"{program} is {here}; {tried}")
