"""Git is not approved in a repository whose settings make it run programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.packs.approval.project_kit import approved, git, make_project

SETS = ["starter/git"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.fsmonitor", "./x"),
        ("core.sshCommand", "sh x"),
        ("core.pager", "./x"),
        ("diff.external", "./x"),
        ("diff.mine.textconv", "./x"),
        ("filter.mine.clean", "./x"),
        ("remote.origin.uploadpack", "./x"),
        ("remote.origin.url", "ext::sh -c id"),
        ("url.ext::sh.insteadOf", "https://example.org/"),
        ("credential.helper", "!./x"),
        ("include.path", "../evil"),
        ("gpg.program", "./x"),
        ("gpg.ssh.defaultKeyCommand", "./x"),
        ("pager.log", "./x"),
        ("gc.recentObjectsHook", "./x"),
        ("fetch.bundleURI", "https://example.org/x"),
    ],
)
def test_a_setting_that_runs_a_program_keeps_git_from_being_approved(
    project: Path, key: str, value: str
) -> None:
    assert approved("git fetch origin", project, SETS)
    git(project, "config", key, value)
    assert not approved("git fetch origin", project, SETS)
    assert not approved("git status", project, SETS)


@pytest.mark.parametrize(
    "text",
    [
        "[core] fsmonitor = ./x\n",
        "[CORE]\n\tFSMonitor=./x\n",
        '[remote "origin"]\n\turl = \\\next::sh\n',
        '[remote "origin"] uploadpack = ./x\n',
        "[core]\nfsmonitor = ./x # true\n",
        "[diff.mine]\n  textconv = ./x\n",
        "[core] sshCommand = sh x #]\n",
        "[core]\n\tx = a\x0c[zz]\n\tsshCommand = ./x\n",
        "[core]\n# a comment \\\nsshCommand = ./x\n",
        '[remote "origin"]\n\turl = "ext:"":sh"\n',
        '[remote "origin"]\n\turl = ext::sh\n\turl = https://example.org/x\n',
    ],
)
def test_however_it_is_spelled(project: Path, text: str) -> None:
    config = project / ".git" / "config"
    config.write_text(config.read_text() + text)
    assert not approved("git status", project, SETS)


def test_a_mark_at_the_beginning_hides_nothing(project: Path) -> None:
    config = project / ".git" / "config"
    config.write_text("\ufeff[core]\n\tsshCommand = ./x\n" + config.read_text())
    assert not approved("git status", project, SETS)


def test_settings_of_one_work_tree_count(project: Path) -> None:
    (project / ".git" / "config.worktree").write_text("[core]\n\tfsmonitor = ./x\n")
    assert not approved("git status", project, SETS)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("remote.origin.url", "git@github.com:acme/web.git"),
        ("user.name", "me"),
        ("core.fsmonitor", "true"),
        ("filter.lfs.clean", "git-lfs clean -- %f"),
        ("branch.main.merge", "refs/heads/main"),
    ],
)
def test_usual_settings_do_not(project: Path, key: str, value: str) -> None:
    git(project, "config", key, value)
    assert approved("git status", project, SETS)
