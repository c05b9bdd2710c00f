"""Task runners with a file of their own."""

from __future__ import annotations

import pytest

from fairlead.shell.unknown import Kind
from tests.unit.shell.following.recipe_files.project_kit import code_in, commands_in, places_in, read_in

_JUST = """\
set shell := ["bash", "-uc"]
export DIR := "out" / "lib"
version := `git describe`
alias w := wipe

# Builds everything.
build target='all' *flags: prepare
    cc {{flags}} -o {{DIR}} {{target}}
    @echo {{version}} "$DIR"

prepare:
    mkdir -p {{DIR}}

wipe:
    rm -rf {{env_var('HOME')}}

both: (build 'x' '-g') && wipe

script:
    #!/usr/bin/env python3
    import shutil
    shutil.rmtree("/srv")

shelled:
    #!/usr/bin/env bash
    cd /srv
    rm -rf data
"""


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("just", ["mkdir -p out/lib", "cc -o out/lib all", "echo $(git describe) out/lib"]),
        ("just prepare", ["mkdir -p out/lib"]),
        ("just DIR=/srv prepare", ["mkdir -p /srv"]),
        ("just wipe", ["rm -rf /home/no-one"]),
        ("just w", ["rm -rf /home/no-one"]),
        ("just prepare wipe", ["mkdir -p out/lib", "rm -rf /home/no-one"]),
        ("just shelled", ["cd /srv", "rm -rf data"]),
        ("just --list", []),
        ("just nothing", []),
    ],
)
def test_just_runs_the_recipes_that_it_is_told(line: str, commands: list[str]) -> None:
    found = commands_in({"justfile": _JUST}, line)
    assert [each for each in found if each != "git describe"] == commands


def test_just_computes_every_variable_before_it_runs_anything() -> None:
    assert commands_in({"justfile": _JUST}, "just prepare") == ["git describe", "mkdir -p out/lib"]


def test_just_passes_arguments_on() -> None:
    assert "cc -g -O2 -o out/lib web" in commands_in({"justfile": _JUST}, "just build web -g -O2")
    found = commands_in({"justfile": _JUST}, "just both")
    assert "cc -g -o out/lib x" in found
    assert "rm -rf /home/no-one" in found


def test_a_recipe_of_just_may_be_a_script_in_another_language() -> None:
    ((language, text),) = code_in({"justfile": _JUST}, "just script")
    assert language == "python"
    assert 'rmtree("/srv")' in text


def test_just_runs_in_the_folder_of_its_file_and_follows_imports() -> None:
    files = {
        "justfile": "import 'more.just'\nmod web\n",
        "more.just": "a:\n  rm -rf x\n",
        "web.just": "b:\n  rm y\n",
    }
    assert places_in(files, "cd src && just a")[-1] == ("rm -rf x", "")
    assert commands_in(files, "just web::b") == ["rm y"]
    assert commands_in(files, "just web b") == ["rm y"]


def test_just_finds_a_recipe_in_another_folder() -> None:
    assert places_in({"justfile": "a:\n  ls\n", "sub/justfile": "a:\n  rm x\n"}, "just sub/a") == [
        ("rm x", "sub")
    ]


def test_what_just_computes_stays_unknown() -> None:
    script = read_in({"justfile": "a:\n  rm -rf {{if x == '1' { 'y' } else { 'z' }}}\n"}, "just")
    assert script.commands[-1].argv[-1].opaque is not None
    assert script.commands[-1].argv[-1].opaque.kind == Kind.COMPUTED


_TASK = """\
version: '3'
vars:
  DIR: out
  REV:
    sh: git rev-parse HEAD
includes:
  web: ./web
tasks:
  default:
    deps: [prepare]
    cmds:
      - task: build
      - echo {{.REV}}
  prepare: mkdir -p {{.DIR}}
  build:
    dir: src
    cmds:
      - cmd: go build -o {{.OUT}} {{.CLI_ARGS}}
      - defer: rm -f tmp
  wipe:
    cmds: ["rm -rf {{.HOME}}"]
"""


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("task prepare", ["mkdir -p out"]),
        ("task prepare DIR=/srv", ["mkdir -p /srv"]),
        ("task build OUT=x -- -v", ["go build -o x -v", "rm -f tmp"]),
        ("task wipe", ["rm -rf /home/no-one"]),
        ("task web:clean", ["rm -rf dist"]),
        ("task --list", []),
    ],
)
def test_task_runs_the_tasks_that_it_is_told(line: str, commands: list[str]) -> None:
    files = {"Taskfile.yml": _TASK, "web/Taskfile.yml": "tasks:\n  clean: rm -rf dist\n"}
    found = [each for each in commands_in(files, line) if not each.startswith("git rev-parse")]
    assert found == commands


def test_task_runs_its_default_with_what_it_depends_on() -> None:
    found = commands_in({"Taskfile.yml": _TASK}, "task")
    assert [each.split(" ")[0] for each in found if not each.startswith("git")] == [
        "mkdir",
        "go",
        "rm",
        "echo",
    ]
    assert "git rev-parse HEAD" in found


def test_a_task_may_be_a_pattern_and_may_be_given_variables() -> None:
    text = "tasks:\n  a: {cmds: [{task: 'b:1', vars: {X: /srv}}]}\n  'b:*': {cmds: ['rm -rf {{.X}}']}\n"
    assert commands_in({"Taskfile.yml": text}, "task a") == ["rm -rf /srv"]
    assert commands_in({"Taskfile.yml": text}, "go-task b:2 X=y") == ["rm -rf y"]


def test_tasks_that_need_one_another_end() -> None:
    text = "tasks:\n  default: {deps: [a]}\n  a: {deps: [b], cmds: [ls]}\n  b: {deps: [a], cmds: [rm x]}\n"
    assert commands_in({"Taskfile.yml": text}, "task") == ["rm x", "ls"]
