"""`fairlead fleet status`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from fairlead.doors.cli.output import Session, show_json, tell
from fairlead.doors.fleet.running.here import enrolment_here
from fairlead.doors.fleet.running.lock import running_agent
from fairlead.doors.fleet.standing import read_standing
from fairlead.fleet.bundles.standing import State
from fairlead.fleet.bundles.store import store_of
from fairlead.fleet.moments import write_moment

Facts = Mapping[str, Any]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def command(session: Session, *, as_json: bool) -> int:
    """Show what is in force here, since when, and when its source last answered.

    Exit code 1 when something is to be looked at: nothing is in force, it is stale or expired, files of it
    were changed, the last look was refused, or no agent runs.

    \b
    Examples:
      fairlead fleet status
      fairlead fleet status --json
    """
    facts = _facts(session)
    if as_json:
        show_json(facts)
    else:
        for line in _lines(facts):
            tell(line)
    return 0 if facts["well"] else 1


def _facts(session: Session) -> dict[str, Any]:
    places = session.places
    enrolment, store = enrolment_here(places), store_of(places)
    now, seen, told = store.in_force(), store.seen(), read_standing(places.fleet)
    standing, damage = store.standing(enrolment.group), list(store.damage())
    bundle, source = told.get("bundle", {}), told.get("source", {})
    agent = running_agent(places.fleet)
    found = {
        "machine": enrolment.machine,
        "group": enrolment.group,
        "source": enrolment.source,
        "bundle": {"version": now.manifest.version, "sha256": now.sha256} if now else None,
        "state": str(standing.state),
        "since": write_moment(standing.since) if standing.since else None,
        "taken": write_moment(seen.of(enrolment.group).taken) if now else None,
        "damage": damage,
        "troubles": list(store.troubles(enrolment.roles)),
        "lost": store.lost(),
        "contact": write_moment(seen.contact) if seen.contact else None,
        "trouble": source.get("error") or "",
        "refusal": _whole(bundle.get("refusal"), ("message", "code")),
        "rollout": _whole(bundle.get("rollout"), ("version", "percent", "halted", "place")),
        "agent": agent or None,
        "duties": {name: facts for name, facts in told.items() if name not in _OURS},
    }
    faults = (damage, found["troubles"], found["refusal"])
    return {**found, "well": standing.state is State.CURRENT and not any(faults) and bool(agent)}


def _whole(told: object, names: Iterable[str]) -> Facts | None:
    """What the agent told, unless somebody damaged its file."""
    return told if isinstance(told, dict) and set(names) <= told.keys() else None


_OURS = ("agent", "bundle", "source", "link")


def _lines(facts: Facts) -> Iterator[str]:
    yield f"{facts['machine']} in the group {facts['group']}"
    yield f"  source   {facts['source']}"
    bundle = facts["bundle"]
    since = f" since {facts['since']}" if facts["since"] else ""
    if bundle:
        yield f"  bundle   version {bundle['version']}, {facts['state']}{since}"
    else:
        yield "  bundle   none" if facts["troubles"] else "  bundle   none; the other policies here count"
    if facts["damage"]:
        yield f"  damage   {', '.join(facts['damage'][:3])}; the agent fetches it again"
    for trouble in facts["troubles"]:
        yield f"  trouble  {trouble}"
    if facts["lost"]:
        yield f"  lost     {facts['lost']}"
    yield f"  contact  {facts['contact'] or 'never'}"
    if facts["trouble"]:
        yield f"  trouble  {facts['trouble']}"
    if facts["refusal"]:
        yield f"  refused  {facts['refusal']['message']} ({facts['refusal']['code']})"
    if facts["rollout"]:
        yield f"  rollout  {_rollout(facts['rollout'])}"
    agent = facts["agent"]
    yield f"  agent    process {agent}" if agent else "  agent    not running; `fairlead fleet start`"
    for name, told in facts["duties"].items():
        if told.get("error"):
            yield f"  {name}  {told['error']}"


def _rollout(rollout: Facts) -> str:
    how = "stopped at" if rollout["halted"] else "at"
    words = f"version {rollout['version']} {how} {rollout['percent']}%"
    return words if rollout["percent"] == 100 else f"{words}; this machine stands at {rollout['place']:.2f}"
