"""What managed.yaml locks and forbids holds against everything that a local person or a project can say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.assembly import build, policy_for
from fairlead.errors import TrustError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall
from fairlead.policy.answers.exceptions import judged_with_exceptions
from fairlead.policy.answers.grants import Grant, Grants
from fairlead.policy.layering.trust import Trust, trust
from fairlead.policy.off import ignored_marker, read_off, switch_off
from fairlead.policy.places import Places, find_places, write_private
from fairlead.policy.policy import Policy

DESTROY = "terraform destroy -auto-approve"
PUSH = "git push --force"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    found = find_places(str(tmp_path / "home"))
    return found.replace(system=str(tmp_path / "system"), system_fleet=str(tmp_path / "fleet"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".fairlead" / "hooks").mkdir(parents=True)
    return folder


def put(root: str, name: str, text: str) -> Path:
    file = Path(root) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def manage(places: Places, text: str) -> None:
    put(places.system, "hooks/managed.yaml", text)


def own(places: Places, text: str) -> None:
    put(places.config, "hooks/mine/hook.meta.yaml", f"event: PreToolUse\nmiddleware:\n{text}\n")


def judge(policy: Policy, command: str) -> Decision:
    tool = ToolCall("Bash", {"command": command})
    event = Event(
        EventName.BEFORE_TOOL, native_name="PreToolUse", agent="claude", tool=tool, root="/p", cwd="/p"
    )
    return build(policy).fire(event).decision


def decided(places: Places, command: str, root: str = "") -> Decision:
    return judge(policy_for(places, root, "claude"), command)


LOOSENINGS = (
    "  - {id: block-dangerous-commands, enabled: false}",
    "  - {id: block-dangerous-commands, config: {packs: {disable: [cloud, git]}}}",
    "  - {id: block-dangerous-commands, config: {packs: {disable: [cloud/destroy]}}}",
    "  - {id: block-dangerous-commands, config: {packs: {audit: [cloud]}}}",
    "  - {id: block-dangerous-commands, mode: audit}",
    "  - {id: block-dangerous-commands, matcher: Nothing}",
    "  - {id: block-dangerous-commands, path: mine.sh}",
)


@pytest.mark.parametrize("lock", ["cloud", "cloud/destroy", "block-dangerous-commands"])
@pytest.mark.parametrize("loosening", LOOSENINGS)
def test_a_person_cannot_loosen_what_is_locked(places: Places, lock: str, loosening: str) -> None:
    own(places, loosening)
    assert decided(places, DESTROY) is not Decision.BLOCK or "path" in loosening
    manage(places, f"lock: [{lock}]")
    policy = policy_for(places, "", "claude")
    assert judge(policy, DESTROY) is Decision.BLOCK
    assert any("locked" in problem.message for problem in policy.problems)


def test_what_is_not_locked_stays_the_persons_own(places: Places) -> None:
    manage(places, "lock: [cloud/destroy]")
    own(places, "  - {id: block-dangerous-commands, enabled: false}")
    assert decided(places, DESTROY) is Decision.BLOCK
    assert decided(places, PUSH) is Decision.CONTINUE


def test_of_a_locked_rule_the_pack_stays_the_persons_own(places: Places) -> None:
    other = "aws ec2 terminate-instances --instance-ids i-1"
    assert decided(places, other) is Decision.BLOCK
    manage(places, "lock: [cloud/destroy]")
    own(places, "  - {id: block-dangerous-commands, enabled: false}")
    assert decided(places, other) is Decision.CONTINUE


def test_a_guard_that_its_managers_turned_off_is_not_kept(places: Places) -> None:
    manage(places, "lock: [cloud]")
    put(places.system, "hooks/a/hook.meta.yaml", f"event: PreToolUse\nmiddleware:\n{LOOSENINGS[0]}\n")
    own(places, LOOSENINGS[0])
    policy = policy_for(places, "", "claude")
    assert judge(policy, DESTROY) is Decision.CONTINUE
    assert not any(entry.id.startswith("managed/") for entry in policy.entries)


def test_a_person_may_tighten_what_is_locked(places: Places) -> None:
    manage(places, "lock: [cloud]")
    own(places, "  - {id: block-dangerous-commands, config: {dangerous_patterns: [echo]}}")
    assert decided(places, "echo hello") is Decision.BLOCK
    assert decided(places, DESTROY) is Decision.BLOCK


@pytest.mark.parametrize(
    "mode", ["mode: audit", "mode: enforce\naudit: [cloud]", "mode: enforce\naudit: [cloud/destroy]"]
)
def test_audit_of_a_person_does_not_reach_what_is_locked(places: Places, mode: str) -> None:
    put(places.config, "hooks/mode.yaml", mode)
    assert decided(places, DESTROY) is Decision.CONTINUE
    manage(places, "lock: [cloud]")
    assert decided(places, DESTROY) is Decision.BLOCK


@pytest.mark.parametrize("lock", ["cloud", "block-dangerous-commands"])
def test_those_who_lock_may_only_watch_themselves(places: Places, lock: str) -> None:
    manage(places, f"lock: [{lock}]")
    put(places.system, "hooks/mode.yaml", "mode: audit")
    assert decided(places, DESTROY) is Decision.CONTINUE
    put(places.config, "hooks/mode.yaml", "mode: enforce\nenforce: [cloud]")
    assert decided(places, DESTROY) is Decision.BLOCK


_OF_TODAY = '"at": 0, "until": 4e9, "expires": 4e9, "asks": 0, "group": "web", "version": 1'


def joined(places: Places, name: str, text: str) -> None:
    """A fleet that the user has joined, or that somebody wrote by hand into the user's files."""
    put(places.fleet, f"bundles/{'a' * 64}/{name}", text)
    put(places.fleet, "freshness.json", f'{{"{"a" * 64}": {{{_OF_TODAY}}}}}')
    current = Path(places.fleet, "current")
    if not current.is_symlink():
        current.symlink_to(f"bundles/{'a' * 64}")


@pytest.mark.parametrize("lock", ["cloud", "cloud/destroy", "block-dangerous-commands"])
@pytest.mark.parametrize("loosening", LOOSENINGS)
def test_a_fleet_of_the_users_own_cannot_loosen_what_the_system_locks(
    places: Places, lock: str, loosening: str
) -> None:
    manage(places, f"lock: [{lock}]\n")
    joined(places, "hooks/theirs/hook.meta.yaml", f"event: PreToolUse\nmiddleware:\n{loosening}\n")
    assert decided(places, DESTROY) is Decision.BLOCK


@pytest.mark.parametrize("mode", ["mode: audit\n", "audit: [cloud]\n", "audit: [cloud/destroy]\n"])
def test_a_fleet_of_the_users_own_cannot_watch_what_the_system_locks(places: Places, mode: str) -> None:
    manage(places, "lock: [cloud]\n")
    joined(places, "hooks/mode.yaml", mode)
    assert decided(places, DESTROY) is Decision.BLOCK


def test_a_fleet_of_the_users_own_cannot_say_that_a_loss_passes_or_a_program_is_harmless(
    places: Places,
) -> None:
    manage(places, "lock: [cloud]\n")
    joined(places, "hooks/mode.yaml", "recover: pass\n")
    joined(places, "programs/terraform.toml", '[program.terraform]\nsubcommands = {destroy = ["read"]}\n')
    policy = policy_for(places, "", "claude")
    assert policy.mode.recover == ""
    assert [each.trusted for each in policy.program_files] == [False]


def test_what_a_fleet_of_the_users_own_locks_is_locked_beside_what_the_system_locks(places: Places) -> None:
    manage(places, "lock: [git]\n")
    joined(places, "hooks/managed.yaml", "lock: [cloud]\n")
    joined(places, "hooks/a/hook.meta.yaml", f"event: PreToolUse\nmiddleware:\n{LOOSENINGS[2]}\n")
    own(places, LOOSENINGS[0])
    assert decided(places, PUSH) is not Decision.CONTINUE
    own(places, LOOSENINGS[1])
    assert decided(places, PUSH) is not Decision.CONTINUE
    put(
        places.fleet,
        f"bundles/{'a' * 64}/hooks/a/hook.meta.yaml",
        "event: PreToolUse\nmiddleware:\n  - {id: block-dangerous-commands, timeout: 9}\n",
    )
    assert decided(places, DESTROY) is Decision.BLOCK


def test_what_root_has_enrolled_a_machine_in_may_still_change_what_the_system_locks(places: Places) -> None:
    manage(places, "lock: [cloud]\n")
    put(places.system, "fleet.yaml", "")
    joined(places, "hooks/mode.yaml", "audit: [cloud]\n")
    assert decided(places, DESTROY) is Decision.CONTINUE


def test_recover_of_a_person_does_not_count_where_rules_are_locked(places: Places) -> None:
    put(places.config, "hooks/mode.yaml", "mode: enforce\nrecover: pass")
    manage(places, "lock: [git]")
    policy = policy_for(places, "", "claude")
    assert policy.mode.recover == ""
    assert any("`recover`" in problem.message for problem in policy.problems)


def test_a_trusted_project_cannot_loosen_what_is_locked(places: Places, project: Path) -> None:
    put(
        str(project), ".fairlead/hooks/a/hook.meta.yaml", f"event: PreToolUse\nmiddleware:\n{LOOSENINGS[0]}\n"
    )
    trust(places, str(project))
    assert decided(places, DESTROY, str(project)) is Decision.CONTINUE
    manage(places, "lock: [cloud]")
    assert decided(places, DESTROY, str(project)) is Decision.BLOCK


def test_a_person_cannot_teach_that_a_program_is_harmless(places: Places) -> None:
    put(places.config, "programs/mine.toml", '[terraform]\nonly = "prints"\n')
    manage(places, "lock: [cloud]")
    policy = policy_for(places, "", "claude")
    assert judge(policy, DESTROY) is Decision.BLOCK
    assert any("only adds" in problem.message for problem in policy.problems)


def test_a_default_decision_can_be_locked(places: Places) -> None:
    put(places.system, "hooks/a/hook.meta.yaml", "event: PreToolUse\ndefault_decision: ask\n")
    put(places.config, "hooks/a/hook.meta.yaml", "event: PreToolUse\ndefault_decision: allow\n")
    assert policy_for(places, "", "").default_decisions[EventName.BEFORE_TOOL] is Decision.ALLOW
    manage(places, "lock: [policy/default_decision]")
    assert policy_for(places, "", "").default_decisions[EventName.BEFORE_TOOL] is Decision.ASK


@pytest.mark.parametrize(
    ("managed", "counts"),
    [
        ("forbid: [trust]", True),
        ("forbid: [allow]", False),
        ("lock: [cloud]", False),
        ("lock: [cloud/destroy]", False),
        ("lock: [block-dangerous-commands]", False),
        ("lock: [git]", True),
    ],
)
@pytest.mark.parametrize("rule", ["cloud/destroy", "cloud/*"])
def test_an_exception_that_was_given_before_counts_only_where_it_may(
    places: Places, managed: str, counts: bool, rule: str
) -> None:
    Grants(places).give(rule, now=1.0)
    manage(places, managed)
    policy = policy_for(places, "", "claude")
    event = Event(EventName.BEFORE_TOOL, agent="claude", root="/p")
    rounds = judged_with_exceptions(event, Grants(places), lambda **given: given, policy.managed)
    assert (next(rounds) == {"excused": [rule]}) is counts


@pytest.mark.parametrize("managed", ["forbid: [allow]", "lock: [cloud]", "not yaml: ["])
def test_no_exception_can_be_given_that_would_not_count(places: Places, managed: str) -> None:
    manage(places, managed)
    with pytest.raises(TrustError, match=r"managed\.yaml"):
        Grants(places).give_planned(Grant("", "cloud/destroy"), now=1.0)


def test_off_is_refused_and_a_marker_switches_nothing_off(places: Places) -> None:
    switch_off(places, seconds=None, agents=())
    assert read_off(places) is not None
    manage(places, "forbid: [off]")
    assert read_off(places) is None
    assert "forbids `off`" in ignored_marker(places)
    with pytest.raises(TrustError, match="forbidden on this machine"):
        switch_off(places, seconds=None, agents=())


def test_trust_is_refused_and_what_was_trusted_before_only_adds(places: Places, project: Path) -> None:
    put(
        str(project), ".fairlead/hooks/a/hook.meta.yaml", f"event: PreToolUse\nmiddleware:\n{LOOSENINGS[0]}\n"
    )
    trust(places, str(project))
    manage(places, "forbid: [trust]")
    policy = policy_for(places, str(project), "claude")
    assert policy.trust is Trust.NEVER
    assert judge(policy, DESTROY) is Decision.BLOCK
    assert any("was trusted" in problem.message for problem in policy.problems)
    with pytest.raises(TrustError, match="forbids `trust`"):
        trust(places, str(project))


@pytest.mark.parametrize("layer", ["user", "project"])
def test_managed_yaml_counts_nowhere_else_and_that_is_told(places: Places, project: Path, layer: str) -> None:
    root = places.config if layer == "user" else f"{project}/.fairlead"
    put(root, "hooks/managed.yaml", "forbid: [off]\nlock: [cloud]")
    trust(places, str(project))
    policy = policy_for(places, str(project), "claude")
    assert not policy.managed
    assert any(problem.path.endswith("managed.yaml") for problem in policy.problems)


def test_a_name_that_is_nobodys_is_told(places: Places) -> None:
    manage(places, "lock: [clowd]")
    assert any("'clowd'" in problem.message for problem in policy_for(places, "", "").problems)


def test_a_file_that_cannot_be_read_locks_everything(places: Places) -> None:
    own(places, LOOSENINGS[0])
    manage(places, "lock: [")
    policy = policy_for(places, "", "claude")
    assert policy.errors
    assert judge(policy, DESTROY) is Decision.BLOCK


def test_a_change_of_the_file_is_seen_at_the_next_call(places: Places) -> None:
    policy = policy_for(places, "", "")
    assert not policy.changed()
    manage(places, "lock: [cloud]")
    assert policy.changed()


WORDS = st.fixed_dictionaries(
    {},
    optional={
        "enabled": st.booleans(),
        "mode": st.sampled_from(["audit", "enforce"]),
        "matcher": st.sampled_from(["Bash", "X"]),
        "on_error": st.sampled_from(["allow", "block"]),
        "config": st.fixed_dictionaries(
            {},
            optional={
                "packs": st.just({"disable": ["cloud", "git"]}),
                "level": st.sampled_from(["standard", "strict"]),
            },
        ),
    },
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    word=WORDS, mode=st.sampled_from(["audit", "enforce"]), lock=st.sampled_from(["cloud", "cloud/destroy"])
)
def test_whatever_a_person_says_the_locked_rule_blocks(
    places: Places, word: dict, mode: str, lock: str
) -> None:
    manage(places, f"lock: [{lock}]")
    put(places.config, "hooks/mode.yaml", f"mode: {mode}")
    own(places, f"  - {json.dumps({'id': 'block-dangerous-commands', **word})}")
    assert decided(places, DESTROY) is Decision.BLOCK


def test_marker_content_is_not_what_decides(places: Places) -> None:
    """Also one for ever, and one for a single agent."""
    manage(places, "forbid:\n  - off\n")
    write_private(places.off_marker, b"0\nclaude\n")
    assert read_off(places) is None
