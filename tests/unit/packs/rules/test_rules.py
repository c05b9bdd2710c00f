"""Each rule's examples are tests: the dangerous ones meet it, the harmless ones and its alternative pass."""

import re

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files
from fairlead.packs.judging.pack_table import PACKS, all_packs
from fairlead.packs.rule import Rule
from fairlead.shell.effects.effect import Action

ROOT = "/home/no-one/project"
RULES = [rule for pack in all_packs() for rule in pack.rules]


def judge(command: str, **config: object) -> list[Outcome]:
    event = Event(
        EventName.BEFORE_TOOL,
        root=ROOT,
        cwd=ROOT,
        tool=ToolCall("Bash", {"command": command}, ToolKind.SHELL),
    )
    outcomes = [guard(event, config, ()) for guard in (block_dangerous_commands, protect_sensitive_files)]
    return [outcome for outcome in outcomes if outcome is not None and outcome.decision.objects]


def level_of(rule: Rule) -> str:
    return rule.level.name.lower()


@pytest.mark.parametrize(
    ("rule", "command"), [(r, c) for r in RULES for c in r.dangerous], ids=lambda v: getattr(v, "id", v)
)
def test_a_dangerous_example_is_stopped_at_least_as_hard_as_its_rule_says(rule: Rule, command: str) -> None:
    outcomes = judge(command, level=level_of(rule))
    assert max((o.decision for o in outcomes), default=Decision.CONTINUE) >= rule.decision


@pytest.mark.parametrize(
    ("rule", "command"), [(r, c) for r in RULES for c in r.dangerous], ids=lambda v: getattr(v, "id", v)
)
def test_a_dangerous_example_meets_its_own_rule(rule: Rule, command: str) -> None:
    from fairlead.packs.judging.call_effects import read_call
    from fairlead.packs.judging.git_state import Inquiry
    from fairlead.packs.judging.judge import find_matches
    from fairlead.packs.rule import Scene

    event = Event(
        EventName.BEFORE_TOOL,
        root=ROOT,
        cwd=ROOT,
        tool=ToolCall("Bash", {"command": command}, ToolKind.SHELL),
    )
    call = read_call(event)
    assert call is not None
    scene = Scene(call.script, call.where, Inquiry(), rule.level)
    assert rule.id in {match.rule.id for match in find_matches(call.effects, tuple(PACKS), scene)}


@pytest.mark.parametrize("command", sorted({c for r in RULES for c in r.harmless}))
def test_a_harmless_example_passes(command: str) -> None:
    assert [(o.rule, o.reason) for o in judge(command)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_alternative_of_a_rule_passes_itself(rule: Rule) -> None:
    text = rule.alternative.format(what="", target="notes.txt", detail="")
    for command in re.findall(r"`([^`]+)`", text):
        assert [(o.rule, command) for o in judge(command)] == []


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
