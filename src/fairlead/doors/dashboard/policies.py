"""The hooks and rules of the policy here, with what they did, their tests and their lines."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping
from functools import cache

from starlette.requests import Request

from fairlead.assembly import policy_for
from fairlead.doors.dashboard.sources import Sources
from fairlead.errors import PolicyError, UsageError
from fairlead.packs.judging.pack_table import all_packs
from fairlead.packs.rule import Rule
from fairlead.policy.find import read_file
from fairlead.policy.places import PROJECT_FOLDER
from fairlead.policy.reading.cases import find_case_files, read_cases
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.schema import RULE
from fairlead.policy.switch import switch
from fairlead.store.query import Query
from fairlead.store.statistics import Share, statistics

_LINES = 24
_READ = 1024 * 1024
_TESTS = 500
_EXAMPLES = 6
_LAYERS_SHOWN = ("user", "project", "fleet", "system")


def hooks(sources: Sources, request: Request) -> object:
    policy = policy_for(sources.places, sources.root, "", ())
    with sources.reader() as reader:
        shares = {share.name: share.as_json() for share in statistics(reader, Query()).hooks}
    return {
        "root": sources.root,
        "policy": policy.hash,
        "trust": str(policy.trust),
        "problems": [str(problem) for problem in policy.problems],
        "hooks": [_hook(entry, shares.get(entry.id)) for entry in policy.entries if entry.builtin != RULE],
        "tests": list(_tests(sources))[:_TESTS],
    }


def rules(sources: Sources, request: Request) -> object:
    """Those that people wrote first, then those of the packs; `hits` are all calls that they decided."""
    policy = policy_for(sources.places, sources.root, "", ())
    with sources.reader() as reader:
        hits = {share.name: share for share in statistics(reader, Query()).rules}
    own = [_own_rule(entry, hits) for entry in policy.entries if entry.builtin == RULE]
    packs = [
        {"id": pack.id, "summary": pack.summary, "rules": [_rule(rule, hits) for rule in pack.rules]}
        for pack in all_packs()
    ]
    return {"own": own, "packs": packs}


def switch_hook(sources: Sources, request: Request, given: Mapping[str, object]) -> object:
    enabled = given.get("enabled")
    if not isinstance(enabled, bool):
        raise UsageError("`enabled` is true or false")
    policy = policy_for(sources.places, sources.root, "", ())
    entries = [entry for entry in policy.entries if entry.id == request.path_params["id"]]
    if not entries:
        raise UsageError(f"there is no hook {request.path_params['id']!r}")
    if any(entry.locked or not entry.trusted for entry in entries):
        raise UsageError("this hook is locked, or its project is not trusted")
    switch(entries, enabled=enabled, config=sources.places.config)
    return {"id": entries[0].id, "enabled": enabled}


def _hook(entry: Entry, share: Mapping[str, object] | None) -> dict[str, object]:
    return {
        "id": entry.id,
        "event": str(entry.event),
        "type": str(entry.type),
        "enabled": entry.enabled,
        "broken": entry.broken.message if entry.broken else "",
        "runs": entry.runs_as,
        "origin": entry.origin,
        "locked": entry.locked,
        "trusted": entry.trusted,
        "mode": entry.mode,
        "stats": share,
        "source": _source(entry),
    }


def _own_rule(entry: Entry, hits: Mapping[str, Share]) -> dict[str, object]:
    rule = entry.config["rule"]
    said = rule if isinstance(rule, Mapping) else {}
    id_ = f"rules/{entry.id}" if f"rules/{entry.id}" in hits else entry.id
    return {
        "id": entry.id,
        "decision": str(said.get("decision") or "block"),
        "about": str(said.get("reason") or ""),
        "stops": _told(said.get("stops")),
        "passes": _told(said.get("passes")),
        "hits": hits[id_].calls if id_ in hits else 0,
        "enabled": entry.enabled,
        "mode": entry.mode,
        "broken": entry.broken.message if entry.broken else "",
        "origin": entry.origin,
        "source": _source(entry),
    }


def _rule(rule: Rule, hits: Mapping[str, Share]) -> dict[str, object]:
    return {
        "id": rule.id,
        "decision": rule.decision.word,
        "about": rule.person,
        "stops": list(rule.dangerous[:_EXAMPLES]),
        "passes": list(rule.harmless[:_EXAMPLES]),
        "tests": len(rule.dangerous) + len(rule.harmless),
        "hits": hits[rule.id].calls if rule.id in hits else 0,
        "origin": _line_of(rule.id),
    }


@cache
def _line_of(rule: str) -> str:
    """Where a rule of a pack is written."""
    name = f"fairlead.packs.rules.{rule.partition('/')[0].replace('-', '_')}"
    found = importlib.util.find_spec(name)
    if found is None or not found.origin:
        return name
    with open(found.origin, encoding="utf-8") as file:
        lines = (number for number, line in enumerate(file, 1) if f'id="{rule}"' in line)
        return f"{name.replace('.', '/')}.py:{next(lines, 1)}"


def _source(entry: Entry) -> str:
    """The lines of its policy file; empty for what is built in."""
    if not entry.file or not entry.line or entry.layer not in _LAYERS_SHOWN:
        return ""
    try:
        text = read_file(entry.file, _READ).decode("utf-8", "replace")
    except OSError:
        return ""
    lines = text.splitlines()[entry.line - 1 : entry.line - 1 + _LINES]
    column = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    kept = lines[:1]
    for line in lines[1:]:
        if line.strip() and (len(line) - len(line.lstrip()) < column or line.lstrip().startswith("- id:")):
            break
        kept.append(line)
    return "\n".join(line[column:] for line in kept).rstrip()


def _told(examples: object) -> list[str]:
    return [str(each) for each in (examples if isinstance(examples, list) else [])[:_EXAMPLES]]


def _tests(sources: Sources) -> Iterator[dict[str, object]]:
    """What `fairlead test` would run for the policies of this project and this user; nothing is run."""
    for root in (os.path.join(sources.root, PROJECT_FOLDER), sources.places.config):
        try:
            files = find_case_files(root)
        except PolicyError:
            continue  # the policy itself has a problem that says so
        for path in files:
            for case in read_cases(path)[0]:
                origin = f"{os.path.relpath(path, root)}:{case.line}"
                yield {"name": case.name, "expect": case.expect.word, "origin": origin, "rule": case.rule}
