"""Each rule's examples are tests: the dangerous ones meet it, the harmless ones and its alternative pass."""

import re
from collections.abc import Sequence

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.packs.earlier.since_before import since_before
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files
from fairlead.packs.judging.call_effects import read_call
from fairlead.packs.judging.judge import find_matches
from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.judging.pack_table import PACKS, all_packs
from fairlead.packs.rule import Rule, Scene
from fairlead.sessions.memory import Memories
from fairlead.shell.effects.effect import Action
from tests.unit.packs.session_kit import SessionOfCalls

ROOT = "/home/no-one/project"
RULES = [rule for pack in all_packs() for rule in pack.rules]


def judge(command: str, *, earlier: Sequence[str] = (), **config: object) -> list[Outcome]:
    event, memories = behind(command, earlier)
    guards = (block_dangerous_commands, protect_sensitive_files)
    outcomes = [guard(event, config, (), memories=memories) for guard in guards]
    return [outcome for outcome in outcomes if outcome is not None and outcome.decision.objects]


def behind(command: str, earlier: Sequence[str]) -> tuple[Event, Memories]:
    """A call, and what its session remembers of the earlier ones."""
    session = SessionOfCalls(ROOT)
    session.let_through(*earlier)
    return session.event("Bash", command=command), session.memories


def level_of(rule: Rule) -> str:
    return rule.level.name.lower()


@pytest.mark.parametrize(
    ("rule", "command"), [(r, c) for r in RULES for c in r.dangerous], ids=lambda v: getattr(v, "id", v)
)
def test_a_dangerous_example_is_stopped_at_least_as_hard_as_its_rule_says(rule: Rule, command: str) -> None:
    outcomes = judge(command, earlier=rule.earlier, level=level_of(rule))
    assert max((o.decision for o in outcomes), default=Decision.CONTINUE) >= rule.decision


@pytest.mark.parametrize(
    ("rule", "command"), [(r, c) for r in RULES for c in r.dangerous], ids=lambda v: getattr(v, "id", v)
)
def test_a_dangerous_example_meets_its_own_rule(rule: Rule, command: str) -> None:
    event, memories = behind(command, rule.earlier)
    memory = memories.of(event)
    call = read_call(event)
    assert call is not None
    call = since_before(call, memory)
    scene = Scene(call.script, call.where, Inquiry(), rule.level, memory)
    assert rule.id in {match.rule.id for match in find_matches(call.effects, tuple(PACKS), scene)}


@pytest.mark.parametrize(
    ("rule", "command"),
    [(r, c) for r in RULES if r.earlier for c in r.dangerous],
    ids=lambda v: getattr(v, "id", v),
)
def test_without_the_earlier_calls_it_passes(rule: Rule, command: str) -> None:
    assert [(o.rule, o.reason) for o in judge(command, level=level_of(rule))] == []


@pytest.mark.parametrize(
    ("earlier", "command"), sorted({(r.earlier, c) for r in RULES for c in r.harmless}), ids=str
)
def test_a_harmless_example_passes(earlier: Sequence[str], command: str) -> None:
    assert [(o.rule, o.reason) for o in judge(command, earlier=earlier)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_alternative_of_a_rule_passes_itself(rule: Rule) -> None:
    text = rule.alternative.format(what="", target="notes.txt", detail="")
    for command in re.findall(r"`([^`]+)`", text):
        assert [(o.rule, command) for o in judge(command, earlier=rule.earlier)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_everything_that_it_must(rule: Rule) -> None:
    assert rule.reason
    assert rule.person
    assert rule.alternative
    assert rule.harmless
    assert rule.decision.objects
    rule.reason.format(what="w", target="t", detail="d")


def test_a_pack_names_its_rules_and_the_table_knows_their_actions() -> None:
    for pack in all_packs():
        for rule in pack.rules:
            assert rule.id.startswith(pack.id + "/")
            assert set(rule.actions) <= set(PACKS[pack.id])
        assert {a for rule in pack.rules for a in rule.actions} == set(PACKS[pack.id])


def test_no_two_rules_have_the_same_id() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)


def test_every_action_that_is_more_than_a_touch_has_a_rule() -> None:
    ruled = {action for actions in PACKS.values() for action in actions}
    assert set(Action) - ruled == {Action.LIST}
