"""What passes because it was saved comes back exactly as it was; where it would not, the rule stands."""

from pathlib import Path

import pytest

from benchmarks.undo.random_losses import git_state_of, state_of
from undo_kit import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path, git=True)
    project.write(".gitignore", "/data/\n.env\n")
    project.commit(a="one\n", src__x="one\n", src__deep__y="one\n", docs__guide="one\n")
    project.run(
        "git checkout -qb topic && echo topic > src/x && git commit -qam topic && git checkout -q main"
    )
    project.run("git branch feature/x topic")
    project.commit(a="two\n", second="two\n")
    project.write("a", "changed\n")
    project.write("src/new", "new\n")
    project.write(".env", "KEY=1\n", 0o600)
    project.write("data/set", "rows\n")
    return project


def comes_back(project: Project, command: str) -> None:
    before, git_before = state_of(project.folder), git_state_of(project.folder)
    id_ = project.lose(f"{command}; true")
    project.saver.ended(project.event(command))
    after, git_after = state_of(project.folder), git_state_of(project.folder)
    assert (after, git_after) != (before, git_before)
    undone = project.undo(id_)
    assert state_of(project.folder) == before
    assert git_state_of(project.folder) == git_before
    project.undo(undone.saved_as)
    assert without_times(state_of(project.folder)) == without_times(after)
    assert git_state_of(project.folder) == git_after


def without_times(state: dict[str, object]) -> dict[str, object]:
    """Folders have new times once something was put into them."""
    return {path: (found[0], found[2]) for path, found in state.items() if isinstance(found, tuple)}


def is_refused(project: Project, command: str, why: str) -> None:
    said = project.judge(command)
    assert said.decision.objects
    assert why in said.metrics["unsaved"]
    assert project.store.saves() == []


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf src",
        "shred -u src/new",
        "truncate -s 0 src/new",
        "git clean -fd",
        "python3 -c \"import shutil; shutil.rmtree('src')\"",
    ],
)
def test_a_file_with_another_name_is_not_saved(project: Project, command: str) -> None:
    project.run("ln src/new ../elsewhere")
    is_refused(project, command, "a hard link")


def test_another_name_is_no_matter_where_only_the_mode_changes(project: Project) -> None:
    project.run("ln src/new ../elsewhere")
    comes_back(project, "chmod 600 src/new")


@pytest.mark.parametrize(
    "command",
    [
        "ln -s ../other way; rm -rf src way/*",
        "ln /srv/data/x src/t; shred -u src/t src/new",
        "python3 -c \"import os,shutil; os.symlink('/s', 'w'); shutil.rmtree('w/x'); shutil.rmtree('src')\"",
    ],
)
def test_a_line_that_makes_links_before_it_deletes_is_not_saved(project: Project, command: str) -> None:
    is_refused(project, command, "it makes a link first")


@pytest.mark.parametrize("command", ["mv /opt/x src/y; rm -rf src", "mv /opt/x src/y && rm -rf src"])
def test_what_a_line_carries_into_the_project_and_deletes_there_is_not_saved(
    project: Project, command: str
) -> None:
    is_refused(project, command, "not in the project")


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf src; ln -s docs src",
        "rm -rf src; ln -s docs src; echo bad > src/bad; rm docs/bad",
        "rm -rf docs src; ln -s .. src",
        "rm -rf src; echo file > src",
    ],
)
def test_a_folder_in_whose_place_the_call_puts_something_else_comes_back(
    project: Project, command: str
) -> None:
    comes_back(project, command)


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf src; cp -r docs src",
        "rm -rf src; mkdir -p src/brand; touch src/brand/new; ln -s /etc src/etc",
        "mv src old; mv docs src; rm -rf old",
    ],
)
def test_what_the_call_puts_into_a_folder_that_it_deleted_goes(project: Project, command: str) -> None:
    comes_back(project, command)


def test_what_tools_made_in_the_same_call_stays(project: Project) -> None:
    id_ = project.lose("git clean -fdq; mkdir -p node_modules/pkg data2; touch node_modules/pkg/a data2/b")
    project.undo(id_)
    assert (project.folder / "node_modules/pkg/a").exists()
    assert not (project.folder / "data2").exists()
    assert (project.folder / "src/new").exists()


@pytest.mark.parametrize(
    "command",
    [
        "git reset -q --hard && git clean -fdq",
        "git checkout -q -- . && git clean -fdq",
        "git stash -q; git clean -fdq",
        "git checkout -q -- .gitignore; git clean -fdq",
        "rm .gitignore && git clean -fdq",
        "> .gitignore; git clean -fdq",
        "sed -i d .gitignore; git clean -fdq",
        "git rm -qf .gitignore; git clean -fdq",
        "mv .gitignore x && git clean -fdq",
        "git add -f .env data && git reset -q --hard",
        "git add -f data; git stash -q; git stash drop -q",
        "git stash -aq && git stash drop -q",
    ],
)
def test_what_a_line_makes_git_ignore_no_more_comes_back(project: Project, command: str) -> None:
    project.write(".gitignore", "/data/\n.env\n/kept/\n")
    project.write("kept/notes", "mine\n")
    comes_back(project, command)


@pytest.mark.parametrize(
    "command",
    [
        "git checkout -q -f -B topic",
        "git checkout -q -f -b brand topic",
        "git switch -q --discard-changes -C topic main",
        "git switch -q -f -c brand topic",
        "git branch -q -D feature/x && git branch feature",
        "git branch -q -D feature/x && git branch feature/x/y",
        "git branch -q -D feature/x topic && git branch -m main feature",
        "git reset -q --hard HEAD~1 && git branch brand",
    ],
)
def test_branches_that_a_call_makes_and_moves_are_as_they_were(project: Project, command: str) -> None:
    project.run("git branch -f topic feature/x && git commit -q --allow-empty -m more")
    comes_back(project, command)


def test_a_branch_that_somebody_made_since_stays_and_is_told_to_be_in_the_way(project: Project) -> None:
    id_ = project.lose("git branch -D feature/x topic")
    project.saver.ended(project.event("git branch -D feature/x topic"))
    project.run("git branch feature")
    said = [each.what for each in project.undo(id_).git if not each.done]
    assert any("cannot come back while there is feature" in what for what in said)
    assert project.run("git branch --format='%(refname:short)'").split() == ["feature", "main", "topic"]


@pytest.mark.parametrize(
    "command",
    [
        "git branch -M topic feature/x",
        "git branch -m main trunk",
        "git branch -f topic main",
        "git update-ref refs/heads/topic main",
        "git checkout -q -B topic main",
        "git tag -f v1 topic",
        "git tag -d v1",
        "git rm -rq --cached docs",
        "git mv -f second a",
        "git restore --staged src",
        "git restore -S .",
        "git read-tree --empty",
        "git read-tree topic",
        "git update-index --force-remove src/x",
        "git symbolic-ref HEAD refs/heads/topic",
    ],
)
def test_what_no_rule_objects_to_is_saved_too(project: Project, command: str) -> None:
    project.run("git tag v1")
    project.run("echo staged > src/x && git add src/x && echo later > src/x")
    comes_back(project, command)


@pytest.mark.parametrize(
    ("begun", "command"),
    [
        ("merge topic", "merge --abort"),
        ("cherry-pick topic", "cherry-pick --abort"),
        ("cherry-pick topic", "cherry-pick --skip"),
        ("merge topic", "checkout -q --ours src/x"),
        ("rebase topic", "rebase --abort"),
        ("rebase topic", "rebase --skip"),
    ],
)
def test_conflicts_that_were_resolved_so_far_come_back(project: Project, begun: str, command: str) -> None:
    project.run(
        f"git stash -q; echo main > src/x; git commit -qam x; git {begun} > ../said || echo half > src/x"
    )
    comes_back(project, f"git {command}")


def with_module(project: Project) -> None:
    project.run(
        "git init -q -b main ../other && git -C ../other commit -q --allow-empty -m 0 &&"
        " echo s > ../other/s && git -C ../other add s && git -C ../other commit -qm s &&"
        " git -c protocol.file.allow=always submodule --quiet add ../other module && git commit -qm module"
    )
    project.write("module/s", "mine\n")


@pytest.mark.parametrize("command", ["git reset --hard", "git checkout -- .", "git restore ."])
def test_a_command_that_may_take_submodules_along_is_not_saved(project: Project, command: str) -> None:
    with_module(project)
    project.run("git config submodule.recurse true")
    is_refused(project, command, "a repository of its own")


def test_paths_beside_a_submodule_are_saved(project: Project) -> None:
    with_module(project)
    comes_back(project, "git checkout -q -- a")


@pytest.mark.parametrize("command", ["git -C module checkout -q -- .", "cd module && git reset -q --hard"])
def test_work_in_a_submodule_comes_back(project: Project, command: str) -> None:
    with_module(project)
    comes_back(project, command)


def test_a_staged_file_that_a_filter_makes_comes_back_as_it_was_on_the_disk(project: Project) -> None:
    project.run("git config filter.turn.clean 'tr a-z b-za' && git config filter.turn.smudge 'tr b-za a-z'")
    project.write(".gitattributes", "*.t filter=turn\n")
    project.write("f.t", "first\n")
    project.run("git add -A && git commit -qm turn")
    project.write("f.t", "again\n")
    project.run("touch -d '1 hour ago' f.t && git add f.t && sleep 0.01 && git update-index -q --refresh")
    comes_back(project, "git reset -q --hard")


def test_all_that_git_removes_of_a_project_comes_back(project: Project) -> None:
    comes_back(project, "git rm -rfq .")


def test_what_takes_the_place_of_a_link_to_itself_comes_back(project: Project) -> None:
    project.run("ln -s loop loop")
    comes_back(project, "rm src/new; mv docs/guide loop; mv src/x loop")
