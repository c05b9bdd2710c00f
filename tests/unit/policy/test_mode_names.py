"""Names in `mode.yaml`: what is enforced or watched by name, in which layer, and which names mean nothing."""

from pathlib import Path

import pytest

from fairlead import load_system
from fairlead.assembly import policy_for
from fairlead.model.decision import Decision
from fairlead.model.verdict import Verdict
from fairlead.policy.audited_parts import audited_parts
from fairlead.policy.mode import Mode
from fairlead.policy.mode_names import enforcing, watching, why_enforced
from fairlead.policy.places import Places, find_places
from fairlead.policy.policy import Policy
from fairlead.testing import shell_event

FORCE = "git push --force origin main"
DISCARD = "git reset --hard"
GUARD = "event: PreToolUse\nmiddleware:\n  - {id: block-dangerous-commands, %s}\n"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "project").mkdir()
    return find_places(str(tmp_path / "home")).replace(system=str(tmp_path / "system"))


def mode(places: Places, text: str, *, system: bool = False) -> None:
    folder = Path(places.system if system else places.config) / "hooks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mode.yaml").write_text(text)


def guard(places: Places, text: str, *, system: bool = False) -> None:
    folder = Path(places.system if system else places.config) / "hooks" / "guard"
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(GUARD % text)


def read(places: Places) -> Policy:
    return policy_for(places, "", "", ())


def watched(places: Places) -> list[str]:
    return [part.name for part in audited_parts(read(places))]


def said(places: Places, command: str) -> Verdict:
    home = Path(places.config).parent
    root = str(home.parent / "project")
    with load_system(home=str(home), root=root, journal=False) as system:
        return system.fire(shell_event(command, root=root, cwd=root))


def test_a_rule_can_be_watched_by_name_while_the_rest_counts(places: Places) -> None:
    mode(places, "mode: enforce\naudit: [git/force-push]\n")
    assert watched(places) == ["git/force-push"]
    verdict = said(places, FORCE)
    assert verdict.decision is Decision.CONTINUE
    assert verdict.would is not None and verdict.would.rule == "git/force-push"
    assert said(places, "git push --delete origin main").decision is Decision.BLOCK


@pytest.mark.parametrize("name", ["self-protection", "self-protection/own-commands", "validate-tool-inputs"])
def test_no_name_puts_what_protects_the_guard_into_audit(places: Places, name: str) -> None:
    mode(places, f"mode: audit\naudit: [{name}]\n")
    assert said(places, "fairlead off").decision is Decision.BLOCK
    assert [problem.message for problem in read(places).problems] == [f"{name!r} is always enforced"]


def test_a_pack_that_mode_enforces_counts_whatever_a_guard_says_of_its_rules(places: Places) -> None:
    mode(places, "mode: audit\nenforce: [git]\n")
    guard(places, "config: {packs: {audit: [git/force-push]}}")
    assert said(places, FORCE).decision is Decision.BLOCK
    assert "git/force-push" not in watched(places)


def test_a_rule_of_an_enforced_pack_can_be_watched_in_the_same_file(places: Places) -> None:
    mode(places, "mode: enforce\nenforce: [git]\naudit: [git/force-push]\n")
    assert said(places, FORCE).decision is Decision.CONTINUE
    assert said(places, "git push --delete origin main").decision is Decision.BLOCK


def test_a_user_cannot_watch_what_the_system_enforces(places: Places) -> None:
    mode(places, "mode: enforce\nenforce: [git]\n", system=True)
    mode(places, "mode: enforce\naudit: [git/force-push]\n")
    assert watched(places) == []
    assert "another layer" in why_enforced(read(places), "git/force-push")


def test_a_locked_guard_is_not_watched_by_name(places: Places) -> None:
    guard(places, "locked: true", system=True)
    mode(places, "mode: enforce\naudit: [git/force-push]\n")
    policy = read(places)
    locked = [entry for entry in policy.entries if entry.locked]
    assert [entry.watched for entry in locked] == [()]
    assert "locked" in why_enforced(policy, "git/force-push")


def test_an_entry_that_says_it_is_enforced_stays_so(places: Places) -> None:
    guard(places, "mode: enforce")
    mode(places, "mode: enforce\naudit: [block-dangerous-commands]\n")
    assert "says that itself" in why_enforced(read(places), "block-dangerous-commands")
    assert said(places, FORCE).decision is Decision.BLOCK


@pytest.mark.parametrize("key", ["enforce", "audit"])
def test_a_name_that_is_nobodys_is_told_with_its_place(places: Places, key: str) -> None:
    mode(places, f"mode: audit\n{key}:\n  - git\n  - git/force-psh\n")
    (problem,) = read(places).problems
    assert (problem.line, problem.column) == (4, 5)
    assert "'git/force-psh'" in problem.message


def test_names_of_packs_rules_and_entries_are_known(places: Places) -> None:
    mode(places, "mode: audit\nenforce: [secrets, git/force-push, keep-hooks-on, policy/default_decision]\n")
    assert read(places).problems == ()


def test_to_watch_a_pack_forgets_that_its_rules_were_enforced_and_the_other_way_round() -> None:
    own = Mode(enforce=("git/force-push", "secrets"), recover="pass")
    after = watching(own, ["git"])
    assert (after.enforce, after.audited, after.recover) == (("secrets",), ("git",), "pass")
    back = enforcing(after.replace(audited=("git/force-push", "packages")), ["git"])
    assert (back.enforce, back.audited) == (("secrets", "git"), ("packages",))


@pytest.mark.parametrize("name", ["mode.yml", "mine/mode.yaml"])
def test_a_mode_that_stands_where_none_is_read_is_told(places: Places, name: str) -> None:
    file = Path(places.config, "hooks", name)
    file.parent.mkdir(parents=True)
    file.write_text("mode: audit\n")
    policy = read(places)
    assert [problem.message for problem in policy.problems] == ["this file is not read"]
    assert not policy.mode.audits
