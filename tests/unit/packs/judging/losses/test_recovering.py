"""What becomes of a loss that was saved first, and which losses never count as saved."""

from pathlib import Path

import pytest

from fairlead.errors import PolicyError
from fairlead.model.decision import Decision
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.judging.guard_settings import read_settings
from fairlead.packs.judging.pack_table import recoverable_rules
from fairlead.undo.keeper import Trial
from undo_kit import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path, git=True)
    project.commit(a="one\n", src__b="two\n")
    project.write("a", "changed\n")
    project.write("src/new.txt", "new\n")
    return project


def test_without_a_word_in_the_policy_nothing_is_saved_and_the_rule_stands(project: Project) -> None:
    said = block_dangerous_commands(project.event("rm -rf src"), {}, (), keeper=project.saver)
    assert said is not None
    assert said.decision is Decision.BLOCK
    assert project.store.saves() == []


def test_a_loss_that_was_saved_passes_and_says_so(project: Project) -> None:
    said = project.judge("rm -rf src", save=False)
    (saved,) = project.store.saves()
    assert said.decision is Decision.CONTINUE
    assert said.metrics["undo"] == saved.id
    assert said.metrics["recovered"] == ["filesystem/delete-uncommitted-work"]
    assert f"fairlead undo {saved.id}" in said.reason


def test_a_loss_that_was_saved_asks_where_the_policy_says_ask(project: Project) -> None:
    said = project.judge("git reset --hard", recoverable="ask", save=False)
    assert said.decision is Decision.ASK
    assert said.rule == "git/reset-hard"
    assert f"fairlead undo {said.metrics['undo']}" in said.reason


def test_each_rule_has_a_word_of_its_own_before_its_pack_and_all(project: Project) -> None:
    words = {"*": "pass", "git": "ask", "git/clean": "block"}
    assert project.judge("rm -rf src", recoverable=words).decision is Decision.CONTINUE
    assert project.judge("git checkout -- .", recoverable=words).decision is Decision.ASK
    assert project.judge("git clean -fd", recoverable=words).decision is Decision.BLOCK


def test_where_another_rule_objects_nothing_is_saved(project: Project) -> None:
    said = project.judge("rm -rf src; rm -rf ~/Documents")
    assert said.rule == "filesystem/recursive-delete-outside-project"
    assert project.store.saves() == []


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /etc",
        "rm -rf ~/Documents",
        "rm -rf .git",
        'rm -rf "$DIR"',
        "git push --force",
        "git gc --prune=now",
        "git reflog expire --expire=now --all",
        "git worktree remove --force ../w",
        "ssh host rm -rf /srv",
        "rm -rf .fairlead",
        "dd if=/dev/zero of=/dev/sda",
        "psql -c 'drop table users'",
        "sleep 60; git reset --hard",
        "sudo git reset --hard",
        "docker run -v $PWD:/w alpine rm -rf /w/src",
        "cat list | xargs rm -rf",
        "GIT_DIR=/elsewhere/.git git reset --hard",
        "git -C /elsewhere reset --hard",
        "find . -name config -delete",
        "find . -delete",
        "find . -name config -exec rm -f {} +",
        "find -L . -name '*.txt' -exec rm -f {} +",
        "find . -exec rm -rf {} +",
        "find -L . -name '*.txt' -delete",
        "rm -rf $PWD",
        "hg update -C",
        "git filter-repo --path x",
    ],
)
def test_what_cannot_be_saved_wholly_is_judged_as_without_it(project: Project, command: str) -> None:
    event = project.event(command)
    plain = block_dangerous_commands(event, {}, ())
    assert plain is not None
    assert plain.decision.objects
    said = project.judge(command, save=False)
    assert said.decision is plain.decision
    assert project.store.saves() == []


def test_a_link_that_leads_out_of_the_project_is_not_saved(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs.txt").write_text("theirs\n")
    (project.folder / "way").symlink_to(outside)
    project.judge("rm -rf way/theirs.txt; rm src/new.txt")
    for saved in project.store.saves():
        assert all("outside" not in entry.path for entry in project.store.load(saved).entries)


def test_a_home_folder_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path)
    project.write("notes/a.txt")
    monkeypatch.setattr("fairlead.packs.judging.call_effects.home_of_user", lambda: str(project.folder))
    assert project.judge("rm -rf notes").metrics["unsaved"] == "the home folder is no project"
    assert project.store.saves() == []


def test_what_could_not_be_saved_is_told_to_the_model(project: Project) -> None:
    project.run("mkfifo src/pipe")
    said = project.judge("rm -rf src")
    assert said.decision is Decision.BLOCK
    assert "It could not be saved first:" in said.reason


def test_losses_that_pass_are_saved_only_where_the_policy_says_save(project: Project) -> None:
    assert "undo" not in project.judge("echo x > a", save=False).metrics
    assert project.store.saves() == []
    assert project.judge("echo x > a", save=True).metrics["undo"]


@pytest.mark.parametrize("command", ["ls -la", "cat a", "git status", "mkdir -p made", "echo x > fresh"])
def test_what_loses_nothing_is_not_saved(project: Project, command: str) -> None:
    project.judge(command)
    assert project.store.saves() == []


def test_a_trial_says_the_same_and_saves_nothing(project: Project) -> None:
    config = {"recoverable": "pass", "save": True}
    for command in ("rm -rf src", "git reset --hard", "git stash drop"):
        said = block_dangerous_commands(project.event(command), config, (), keeper=Trial())
        real = project.judge(command)
        assert (said.decision if said else Decision.CONTINUE) is real.decision
    assert len(project.store.saves()) == 3
    block_dangerous_commands(project.event("rm -rf src"), config, (), keeper=Trial())
    assert len(project.store.saves()) == 3


def test_an_excused_rule_is_not_needed_and_not_asked(project: Project) -> None:
    said = project.judge("rm -rf src", excused=["filesystem/delete-uncommitted-work"], save=False)
    assert not said.decision.objects
    assert project.store.saves() == []


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"recoverable": "maybe"}, "no such word"),
        ({"recoverable": {"git/force-push": "pass"}}, "whose losses can be saved"),
        ({"recoverable": {"self-protection": "pass"}}, "whose losses can be saved"),
        ({"recoverable": ["git"]}, "a word or a mapping"),
        ({"save": "yes"}, "neither true nor false"),
    ],
)
def test_what_makes_no_sense_is_an_error(config: dict[str, object], words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        read_settings(config)


def test_only_losses_in_a_project_can_be_saved() -> None:
    assert "git/force-push" not in recoverable_rules()
    assert not any("outside" in rule or "vcs" in rule or "elsewhere" in rule for rule in recoverable_rules())


def test_a_rule_that_is_only_watched_needs_no_save(project: Project) -> None:
    packs = {"audit": ["filesystem/delete-uncommitted-work"]}
    said = project.judge("rm -rf src; git checkout -- a", packs=packs, save=False)
    assert said.decision is Decision.CONTINUE
    assert said.metrics["recovered"] == ["git/discard-changes"]
