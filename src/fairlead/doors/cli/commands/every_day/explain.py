"""`fairlead explain`: one recorded call, and why it was decided so."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

import click

from fairlead.assembly import policy_for
from fairlead.doors.cli.given.recorded import CALL
from fairlead.doors.cli.output import Session, painted, say_lines, show_json
from fairlead.doors.cli.presentation.evidence import underlined
from fairlead.doors.cli.presentation.screen import screen_width
from fairlead.doors.cli.presentation.words import ago, printable, shown_decision
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.cli.recorded.files_read import file_lines
from fairlead.doors.cli.recorded.history import canaries_option
from fairlead.doors.cli.recorded.journal_index import index_reader, journal_directory
from fairlead.errors import FairleadError, UsageError
from fairlead.journal.ids import time_of
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.facts import quoted
from fairlead.model.texts.shown_value import shown_value
from fairlead.model.value import Value
from fairlead.packs.judging.pack_table import is_rule
from fairlead.policy.layering.fleet_layer import FLEET
from fairlead.policy.layering.layers import SYSTEM
from fairlead.policy.managed.rules import ALLOW, Managed
from fairlead.store.effect import Effect, effect_of
from fairlead.store.entry import summary_of

_COLUMN = 11
_LISTED = "`fairlead log` shows the ids"
_CALLED = "has an agent called Fairlead yet?"


@click.command(name="explain")
@click.argument("wanted", metavar="[ID]", required=False, type=CALL)
@click.option("--last", "latest", is_flag=True, help="The call that was answered last.")
@canaries_option
@click.option("--json", "as_json", is_flag=True, help="Print the whole record as JSON.")
@click.pass_obj
def command(session: Session, wanted: str | None, *, latest: bool, canaries: bool, as_json: bool) -> int:
    """Show one recorded call: what was asked, what every hook said, and what the agent was told.

    ID is the id of a call, or the beginning or the end of one, as `fairlead log` shows it.

    \b
    Examples:
      fairlead explain --last
      fairlead explain 7Q2M4Z9K --json
    """
    if bool(wanted) == latest:
        raise UsageError("give an ID or --last", hint="`fairlead explain --last` shows the newest call")
    with index_reader(session) as reader:
        record = reader.find(wanted) if wanted else reader.record(reader.newest(canaries=canaries))
        effect = effect_of(reader, record) if record else None
    if record is None:
        what = f"no call {wanted!r}" if wanted else "no call"
        place = journal_directory(session)
        raise FairleadError(f"there is {what} in {place}", hint=_LISTED if wanted else _CALLED)
    if as_json:
        show_json(record if effect is None else {**record, "effect": effect.as_json()})
    else:
        say_lines(explanation(record, effect, reach_of(session, record)))
    return 0


class Reach(Value):
    """What the policy of now says of a call: the hooks that `fairlead hooks disable` could turn off where it
    was made, and where the one that decided is written, if that is for others to change."""

    hooks: frozenset[str] = frozenset()
    origin: str = ""
    managed: Managed = Managed()
    """What those who manage the machine leave a person."""


def reach_of(session: Session, record: Mapping[str, Any]) -> Reach:
    policy = policy_for(session.places, str(record.get("root") or ""), "", ())
    entries = policy.entries
    hooks = frozenset(each.id for each in entries if each.enabled and each.trusted and not each.locked)
    decided = _mapping(record.get("verdict")).get("hook")
    origins = (
        f"{each.origin}{', locked' if each.locked else ''}"
        for each in entries
        if each.id == decided and each.layer in (FLEET, SYSTEM)
    )
    return Reach(hooks, next(origins, ""), policy.managed or Managed())


def explanation(
    record: Mapping[str, Any], effect: Effect | None = None, reach: Reach | None = None
) -> Iterator[str]:
    """The whole story, top down: the answer, the call, each hook, what was sent back, how to change it."""
    verdict = _mapping(record.get("verdict"))
    decision = DECISION_WORDS.get(str(verdict.get("decision")), Decision.CONTINUE)
    asked = printable(summary_of(_mapping(record.get("facts"))) or str(record.get("event")))
    head, *more = paragraph(asked, first=f"{shown_decision(decision)}  ", rest="  ")
    yield head.replace(shown_decision(decision), painted(decision, shown_decision(decision)), 1)
    yield from more
    yield from _field("reason", verdict.get("reason"))
    yield from _field("rule", verdict.get("rule"))
    reach = reach or Reach()
    yield from _field("hook", verdict.get("hook"))
    yield from _field("written in", reach.origin)
    for proof in verdict.get("evidence") or ():
        yield from _marked(record, proof)
    yield from _field("instead", verdict.get("alternative"))
    yield from _would_lines(record, _mapping(verdict.get("would")))
    yield from _approval_lines(_mapping(verdict.get("approved_by")))
    yield ""
    yield from _call_lines(record)
    if record.get("outcomes"):
        yield ""
    for number, outcome in enumerate(record.get("outcomes") or (), 1):
        yield from _outcome_lines(number, outcome, root=str(record.get("root") or ""))
    yield from _field("failures", "; ".join(_messages(verdict.get("failures"))))
    yield ""
    yield from _answer_lines(record, verdict)
    if effect is not None:
        yield from _field("effect", effect.text)
    yield from _field("to change", _way_out(record, verdict, decision, reach))


def _would_lines(record: Mapping[str, Any], would: Mapping[str, Any]) -> Iterator[str]:
    """What a hook in audit would have said."""
    if not would:
        return
    decision = DECISION_WORDS.get(str(would.get("decision")), Decision.CONTINUE)
    yield from _field("audit", f"{would.get('hook')} only watches: it would have said {decision.word}")
    yield from _field("", would.get("rule"))
    yield from _field("", would.get("reason"))
    for proof in would.get("evidence") or ():
        yield from _marked(record, proof)
    named = would.get("rule") if is_rule(str(would.get("rule"))) else would.get("hook")
    yield from _field("", f"`fairlead promote {named}` enforces it")


def _approval_lines(by: Mapping[str, Any]) -> Iterator[str]:
    """Who let it through from another machine."""
    if by:
        yield from _field("approved", f"by {by.get('name')}, with the key {by.get('key')}")
        yield from _field("", by.get("reason"))
        yield from _field("", by.get("request") and f"as the answer to {by['request']}")


def _call_lines(record: Mapping[str, Any]) -> Iterator[str]:
    facts = _mapping(record.get("facts"))
    tool, subagent = _mapping(facts.get("tool")), _mapping(facts.get("subagent"))
    yield from _field("when", f"{record.get('ts')}{_how_long_ago(record)}   id {record.get('id')}")
    native = record.get("native_event")
    agent = f"{record.get('agent')} {facts.get('agent_version') or ''}".strip()
    yield from _field("event", f"{record.get('event')} ({agent}: {native or '-'})")
    if tool:
        yield from _field("tool", f"{tool.get('name')} ({tool.get('kind')}), call {tool.get('call') or '-'}")
    for key, value in _mapping(tool.get("input")).items():
        yield from _field("", f"{key}: {shown_value(value)}", cut=600)
    yield from _field("project", record.get("root"))
    yield from _field("cwd", facts.get("cwd") if facts.get("cwd") != record.get("root") else "")
    yield from _field("session", record.get("session"))
    yield from _field("turn", facts.get("turn"))
    if subagent:
        yield from _field("subagent", f"{subagent.get('id')} {subagent.get('type') or ''}".strip())
    yield from _field("mode", facts.get("permission_mode"))
    yield from _field("policy", record.get("policy"))
    yield from _field("canary", "made by `fairlead doctor`" if record.get("canary") is True else "")
    withheld = [f"{record[key]} {key}" for key in ("redacted", "capped") if record.get(key)]
    yield from _field("withheld", ", ".join(withheld))


def _how_long_ago(record: Mapping[str, Any]) -> str:
    try:
        return f", {ago(time_of(str(record.get('id'))), time.time())} ago"
    except ValueError:
        return ""  # an id that is not ours tells no time


def _outcome_lines(number: int, outcome: Mapping[str, Any], *, root: str) -> Iterator[str]:
    decision = DECISION_WORDS.get(str(outcome.get("decision")), Decision.CONTINUE)
    name = f"{outcome.get('hook')} ({outcome.get('type')})"
    yield from _field(f"hook {number}", f"{name}: {shown_decision(decision)}, {outcome.get('ms')} ms")
    yield from _field("", outcome.get("rule"))
    if decision.objects or decision is Decision.APPROVE or outcome.get("failure"):
        yield from _field("", outcome.get("reason"))
    for proof in outcome.get("evidence") or ():
        yield from _field("", f"`{proof.get('text')}` {proof.get('detail') or ''}".strip())
    would = _mapping(outcome.get("would"))
    if would:
        said = " ".join(filter(None, (str(would.get("decision")), str(would.get("rule") or ""))))
        yield from _field("", f"in audit; it would have said: {said}")
    if outcome.get("updated_input") is not None:
        yield from _field("", f"rewrote the input: {shown_value(outcome['updated_input'])}")
    yield from _profile_lines(_mapping(outcome.get("metrics")))
    yield from _saved_lines(_mapping(outcome.get("metrics")))
    for line in file_lines(_mapping(outcome.get("metrics")), root):
        yield from _field("", line)
    for message in _messages([outcome.get("failure")]):
        yield from _field("", f"failed: {message}")
    for stream, text in outcome.get("output") or ():
        yield from _field("", f"{stream}: {text}")


def _profile_lines(metrics: Mapping[str, Any]) -> Iterator[str]:
    if metrics.get("profile"):
        yield from _field("", f"run as {metrics['profile']} would, not under Fairlead's laws")
    if metrics.get("ignored"):
        yield from _field("", f"{metrics.get('profile')} ignores: {metrics['ignored']}")


def _saved_lines(metrics: Mapping[str, Any]) -> Iterator[str]:
    if metrics.get("undo"):
        size = f"copied: {metrics.get('saved_files')}, {metrics.get('saved_bytes')} bytes"
        yield from _field("", f"saved first ({size}): `fairlead undo {metrics['undo']}` brings it back")
    if metrics.get("recovered"):
        yield from _field("", f"let pass for that: {', '.join(metrics['recovered'])}")
    if metrics.get("left_out"):
        yield from _field("", f"not saved: {'; '.join(metrics['left_out'])}")
    if metrics.get("unsaved"):
        yield from _field("", f"could not be saved: {metrics['unsaved']}")


def _answer_lines(record: Mapping[str, Any], verdict: Mapping[str, Any]) -> Iterator[str]:
    rendered = _mapping(record.get("rendered"))
    silent = "" if rendered.get("stdout") or rendered.get("stderr") else ", nothing else"
    yield from _field("sent back", f"exit {rendered.get('exit')}{silent}")
    for stream in ("stdout", "stderr"):
        for line in str(rendered.get(stream) or "").splitlines():
            yield from _field("", f"{stream}: {line}", cut=2000)
    yield from _field("degraded", record.get("degraded"))
    if verdict.get("stop"):
        yield from _field("stops", verdict.get("stop_reason") or "the agent is told to stop")
    if record.get("attempts"):
        yield from _field("attempts", f"{record['attempts']}: it was answered again after a crash")
    yield from _field("took", f"{record.get('ms')} ms{_around(_mapping(record.get('us')))}")


def _around(spent: Mapping[str, Any]) -> str:
    """What came before and after the verdict, which `took` does not count."""
    before = (spent.get(stage) for stage in ("read", "policy"))
    read, policy = (f"{value / 1000:.3f} ms" if isinstance(value, int) else "-" for value in before)
    return f"; before that {read} to read the call and {policy} to find its policy" if spent else ""


def _marked(record: Mapping[str, Any], proof: Mapping[str, Any]) -> Iterator[str]:
    """The command with the part that is meant underlined."""
    text, source = str(proof.get("text") or ""), str(proof.get("source") or _command(record))
    at = (None, None) if proof.get("source") else (proof.get("start"), proof.get("end"))
    room = screen_width() - _COLUMN - 2 if screen_width() else 0
    shown = underlined(source, text, start=at[0], end=at[1], width=room)
    if shown:
        yield from _field("evidence", shown[0], strip=False)
        yield from _field("", shown[1], strip=False)
    elif text:
        yield from _field("evidence", f"`{text}`")
    yield from _field("", proof.get("detail"))


def _command(record: Mapping[str, Any]) -> str:
    tool = _mapping(_mapping(record.get("facts")).get("tool"))
    command = _mapping(tool.get("input")).get("command")
    return command if isinstance(command, str) else ""


def _way_out(record: Mapping[str, Any], verdict: Mapping[str, Any], decision: Decision, reach: Reach) -> str:
    """Only what works: a rule that can be excepted, a folder that is there, a hook that can be turned off."""
    if not decision.objects:
        return ""
    rule, hook = str(verdict.get("rule") or ""), str(verdict.get("hook") or "")
    root = str(record.get("root") or "")
    place = f" --in {quoted(root)}" if os.path.isdir(root) else ""
    managed = reach.managed
    if managed.covers_exception(rule):
        return f"nobody here may: {', '.join(managed.paths)} locks it; ask whoever manages this machine"
    excepts = is_rule(rule) and not managed.forbids(ALLOW)
    ways = [f"`fairlead allow {rule}{place} --once` excepts one call"] if excepts else []
    ways += [f"`fairlead hooks disable {hook}` turns the hook off"] if hook in reach.hooks else []
    return f"{', '.join(ways)}; a human must do it" if ways else ""


def _messages(failures: object) -> list[str]:
    found = failures if isinstance(failures, list) else []
    return [str(each.get("message")) for each in found if isinstance(each, Mapping)]


def _field(name: str, value: object, *, cut: int = 1000, strip: bool = True) -> Iterator[str]:
    if value in (None, ""):
        return
    text = printable(str(value).replace("\n", " ⏎ ") if strip else str(value))
    shown = text if len(text) <= cut else f"{text[:cut]}…"
    first = f"  {name:<{_COLUMN}}"
    yield from paragraph(shown, first=first) if strip else (f"{first}{shown}",)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
