"""Hooks that git fires, and those that other runners keep."""

from __future__ import annotations

import json

import pytest

from tests.unit.shell.following.recipe_files.project_kit import code_in, commands_in, places_in

_CONFIG = (
    "[core]\n\tbare = false\n[alias]\n\tst = status -s\n\tnuke = !rm -rf ~\n\tundo = reset --hard HEAD~1\n"
)
_HOOKS = (
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "post-checkout",
    "post-merge",
    "pre-rebase", "pre-merge-commit", "applypatch-msg",
)  # fmt: skip
_FILES = {".git/config": _CONFIG, **{f".git/hooks/{name}": f"#!/bin/sh\nls {name}\n" for name in _HOOKS}}


def _fired(files: dict[str, str], line: str) -> list[str]:
    return [each.removeprefix("ls ") for each in commands_in(files, line) if each.startswith("ls ")]


@pytest.mark.parametrize(
    ("line", "hooks"),
    [
        ("git commit -m x", ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]),
        ("git -C . commit -am x", ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]),
        ("git commit --no-verify -m x", ["prepare-commit-msg", "post-commit"]),
        ("git commit -nm x", ["prepare-commit-msg", "post-commit"]),
        ("git push origin main", ["pre-push"]),
        ("git push --no-verify", []),
        ("git checkout main", ["post-checkout"]),
        ("git switch -c x", ["post-checkout"]),
        ("git merge x", ["pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-merge"]),
        ("git rebase main", ["pre-rebase", "post-checkout", "post-commit"]),
        ("git am x.patch", ["applypatch-msg"]),
        ("git status", []),
        ("git log -n 3", []),
        ("git diff", []),
    ],
)
def test_a_command_of_git_fires_its_hooks(line: str, hooks: list[str]) -> None:
    assert _fired(_FILES, line) == hooks


def test_hooks_run_at_the_top_of_the_working_tree() -> None:
    assert ("ls pre-push", "") in places_in(_FILES, "cd src && git push")


def test_a_hook_may_be_written_in_another_language() -> None:
    files = {
        ".git/config": _CONFIG,
        ".git/hooks/pre-push": "#!/usr/bin/env python3\nimport os\nos.remove('x')\n",
    }
    ((language, _),) = code_in(files, "git push")
    assert language == "python"


@pytest.mark.parametrize(
    ("config", "path"),
    [
        ("[core]\n\thooksPath = .githooks\n", ".githooks/pre-commit"),
        ("[core]\n\thooksPath = .husky/_\n", ".husky/pre-commit"),
        ("[core]\n\thooksPath = .husky\n", ".husky/pre-commit"),
        ("[core]\n\thookspath = /opt/hooks\n", "/opt/hooks/pre-commit"),
    ],
)
def test_the_settings_say_where_hooks_are(config: str, path: str) -> None:
    assert _fired({".git/config": config, path: "ls own"}, "git commit -m x") == ["own"]


def test_settings_that_are_included_say_where_hooks_are() -> None:
    files = {
        ".git/config": "[include]\n\tpath = ../more\n",
        "more": "[core]\n\thooksPath = h\n",
        "h/pre-push": "ls h",
    }
    assert _fired(files, "git push") == ["h"]


def test_hooks_that_are_not_in_force_do_not_run() -> None:
    files = {
        ".git/config": _CONFIG,
        ".husky/pre-commit": "ls husky",
        ".git/hooks/pre-commit.sample": "ls sample",
    }
    assert _fired(files, "git commit -m x") == []


def test_an_option_names_the_folder_of_hooks_for_one_command() -> None:
    files = {".git/config": _CONFIG, "tools/pre-commit": "ls tool"}
    assert "tool" in _fired(files, "git -c core.hooksPath=tools commit -m x")


def test_hooks_of_a_linked_working_tree_are_those_of_the_repository() -> None:
    files = {".git": "gitdir: /srv/app/.git/worktrees/x\n", "/srv/app/.git/config": _CONFIG,
             "/srv/app/.git/hooks/pre-commit": "ls there"}  # fmt: skip
    assert _fired(files, "git commit -m x") == ["there"]


def test_an_alias_of_the_repository_is_what_it_stands_for() -> None:
    assert commands_in(_FILES, "git nuke") == ["rm -rf /home/no-one"]
    assert "git reset --hard HEAD~1" in commands_in(_FILES, "git undo")
    assert "git -C . status -s" in commands_in(_FILES, "git -C . st")


_PRE_COMMIT = """\
repos:
  - repo: https://github.com/psf/black
    rev: 24.1.0
    hooks: [{id: black, entry: rm -rf /srv}]
  - repo: local
    hooks:
      - id: check
        entry: tools/check.sh
        language: script
        args: [--all]
      - id: wipe
        entry: rm -rf ~
        language: system
      - {id: words, entry: "rm -rf", language: pygrep}
"""


def test_pre_commit_runs_its_local_hooks() -> None:
    files = {".pre-commit-config.yaml": _PRE_COMMIT}
    assert commands_in(files, "pre-commit run --all-files") == [
        "./tools/check.sh --all",
        "rm -rf /home/no-one",
    ]
    assert commands_in(files, "pre-commit run check") == ["./tools/check.sh --all"]
    assert commands_in(files, "pre-commit autoupdate") == []
    assert commands_in(files, "python -m pre_commit run wipe") == ["rm -rf /home/no-one"]


def test_a_hook_that_calls_pre_commit_is_followed_into_its_file() -> None:
    files = {
        ".git/config": _CONFIG,
        ".git/hooks/pre-commit": "#!/bin/sh\nexec pre-commit hook-impl --hook-type=pre-commit\n",
        ".pre-commit-config.yaml": _PRE_COMMIT,
    }
    assert "rm -rf /home/no-one" in commands_in(files, "git commit -m x")


_SHIM = """\
#!/usr/bin/env bash
# File generated by pre-commit
INSTALL_PYTHON=/opt/venv/bin/python3
ARGS=(hook-impl --config=.pre-commit-config.yaml --hook-type=pre-commit)
HERE="$(cd "$(dirname "$0")" && pwd)"
ARGS+=(--hook-dir "$HERE" -- "$@")
if [ -x "$INSTALL_PYTHON" ]; then
    exec "$INSTALL_PYTHON" -mpre_commit "${ARGS[@]}"
elif command -v pre-commit > /dev/null; then
    exec pre-commit "${ARGS[@]}"
else
    echo 'not found' 1>&2
    exit 1
fi
"""


def test_the_hook_that_pre_commit_installs_is_followed_into_its_file() -> None:
    hooks = {".git/hooks/pre-commit": _SHIM, ".pre-commit-config.yaml": _PRE_COMMIT}
    assert "rm -rf /home/no-one" in commands_in({".git/config": _CONFIG, **hooks}, "git commit -m x")


def test_lefthook_runs_the_commands_scripts_and_jobs_of_a_hook() -> None:
    text = (
        "pre-commit:\n  commands:\n    lint: {run: 'eslint {staged_files}'}\n"
        "  scripts:\n    'a.sh': {runner: bash}\n  jobs:\n    - group: {jobs: [{run: rm -rf ~}]}\n"
        "pre-push:\n  commands:\n    t: {run: ls push}\n"
    )
    assert commands_in({"lefthook.yml": text}, "lefthook run pre-commit") == [
        "eslint *", "bash .lefthook/pre-commit/a.sh", "rm -rf /home/no-one"
    ]  # fmt: skip


def test_lint_staged_runs_what_the_package_says() -> None:
    files = {"package.json": json.dumps({"lint-staged": {"*.js": ["eslint --fix", "rm -rf ~"]}})}
    assert commands_in(files, "npx lint-staged") == ["eslint --fix", "rm -rf /home/no-one"]
