"""What the runners and builders of Python projects run."""

from __future__ import annotations

import pytest

from tests.unit.shell.following.recipe_files.project_kit import code_in, commands_in, places_in

_TOX = """\
[tox]
envlist = py311, lint

[testenv]
deps = pytest
commands_pre = python -m pip check
commands =
    pytest {posargs:tests}
    py311: coverage \\
        report

[testenv:lint]
skip_install = true
commands = ruff check {toxinidir}/src

[testenv:wipe]
commands =
    - rm -rf {env:HOME}
    {[testenv:lint]commands}
"""


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("tox -e lint", ["ruff check /home/no-one/project/src"]),
        ("tox run -e py311", ["python -m pip check", "pytest tests", "coverage report"]),
        ("tox -e py311 -- -k x", ["python -m pip check", "pytest -k x", "coverage report"]),
        ("tox -e wipe", ["rm -rf /home/no-one", "ruff check /home/no-one/project/src"]),
        ("tox -l", []),
    ],
)
def test_tox_runs_the_commands_of_its_environments(line: str, commands: list[str]) -> None:
    assert commands_in({"tox.ini": _TOX}, line) == commands


def test_tox_runs_the_environments_of_its_list_where_none_is_named() -> None:
    found = commands_in({"tox.ini": _TOX}, "tox")
    assert "pytest tests" in found
    assert "ruff check /home/no-one/project/src" in found
    assert "rm -rf /home/no-one" not in found
    assert "rm -rf /home/no-one" in commands_in(
        {"tox.ini": _TOX.replace("lint\n", "{lint,wipe}\n", 1)}, "tox"
    )
    assert "rm -rf /home/no-one" in commands_in({"tox.ini": _TOX.partition("\n\n")[2]}, "tox")
    assert "rm -rf /home/no-one" in commands_in({"tox.ini": _TOX}, 'tox -e "$E"')


def test_tox_reads_its_table_of_a_pyproject() -> None:
    text = (
        '[tool.tox.env_run_base]\ncommands = [["rm", "-rf", "a b"]]\n[tool.tox.env.x]\ncommands = [["ls"]]\n'
    )
    assert commands_in({"pyproject.toml": text}, "tox -e x") == ["ls"]
    assert commands_in({"pyproject.toml": text}, "tox -e y") == ["rm -rf a b"]
    legacy = '[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ncommands = rm -rf x\n"""\n'
    assert commands_in({"pyproject.toml": legacy}, "tox") == ["rm -rf x"]


_TASKS = {
    "pyproject.toml": """\
[tool.poe.tasks]
test = "pytest -q"
wipe = {shell = "rm -rf ~"}
all = ["test", "wipe"]
both = {sequence = [{cmd = "ls a"}, {ref = "wipe"}]}
deep = {cmd = "ls b", deps = ["wipe"], cwd = "sub"}

[tool.pdm.scripts]
start = {cmd = ["flask", "run", "-p", "80"]}
post_start = "rm -rf out"
composed = {composite = ["start", "ls x"]}

[tool.hatch.envs.default.scripts]
cov = ["pytest --cov {args:tests}", "rm -rf html"]
[tool.hatch.envs.docs.scripts]
serve = "mkdocs serve"

[tool.taskipy.tasks]
lint = "ruff check"

[tool.pixi.tasks]
go = {cmd = "ls pixi", depends-on = ["more"]}
more = "ls more"
""",
    "Pipfile": '[scripts]\nserver = "rm -rf srv"\n',
    "mise.toml": '[tasks.build]\nrun = ["ls 1", "ls 2"]\ndepends = ["lint"]\n[tasks.lint]\nrun = "ls lint"\n',
}


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("poe test -x", ["pytest -q -x"]),
        ("poe wipe", ["rm -rf /home/no-one"]),
        ("poe all", ["pytest -q", "rm -rf /home/no-one"]),
        ("poe both", ["ls a", "rm -rf /home/no-one"]),
        ("poe nothing", []),
        ("python -m poethepoet wipe", ["rm -rf /home/no-one"]),
        ("pdm run start", ["flask run -p 80", "rm -rf out"]),
        ("pdm run composed", ["flask run -p 80", "rm -rf out", "ls x"]),
        ("hatch run cov", ["pytest --cov tests", "rm -rf html"]),
        ("hatch run cov -k x", ["pytest --cov -k x"]),
        ("hatch run docs:serve", ["mkdocs serve"]),
        ("pipenv run server", ["rm -rf srv"]),
        ("task lint", ["ruff check"]),
        ("pixi run go", ["ls more", "ls pixi"]),
        ("mise run build", ["ls lint", "ls 1", "ls 2"]),
    ],
)
def test_tasks_of_a_table_run_with_what_they_refer_to(line: str, commands: list[str]) -> None:
    assert [each for each in commands_in(_TASKS, line) if each in commands] == commands


def test_tasks_may_be_files_functions_or_included_and_stand_around_a_command() -> None:
    files = {
        "pyproject.toml": '[tool.poe]\ninclude = "more.toml"\n[tool.poe.tasks]\nf = {script = "m.n:main"}\n'
        '[tool.pdm.scripts]\npost_install = "ls pdm"\n',
        "more.toml": '[tool.poe.tasks]\nx = "ls more"\n', "m/n.py": "a = 1", ".mise/tasks/t": "ls mise",
    }  # fmt: skip
    assert commands_in(files, "poe x") == ["ls more"]
    assert code_in(files, "poe f") == [("python", "a = 1")]
    assert "ls pdm" in commands_in(files, "pdm install")
    assert commands_in(files, "mise run t")[-1] == "ls mise"


def test_tasks_that_refer_to_one_another_end() -> None:
    text = '[tool.poe.tasks]\na = ["b", "ls"]\nb = ["a"]\n'
    assert commands_in({"pyproject.toml": text}, "poe a") == ["ls"]
    assert commands_in({"pyproject.toml": '[tool.poe.tasks]\na = {cmd = "ls", deps = ["a"]}\n'}, "poe a") == [
        "ls"
    ]


def test_tox_reads_the_environment_that_a_variable_names() -> None:
    text = "[tox]\nenvlist = b\n[testenv:a]\ncommands = ls a\n[testenv:b]\ncommands = ls b\n"
    assert commands_in({"tox.ini": text}, "TOXENV=a tox") == ["ls a"]


def test_a_task_runs_in_the_folder_that_it_names() -> None:
    assert ("ls b", "sub") in places_in(_TASKS, "poe deep")


_NOX = """\
import nox

@nox.session(python=["3.11"])
def tests(session):
    session.install("pytest")
    session.run("pytest", *session.posargs)

@nox.session
def wipe(session):
    session.run("rm", "-rf", "/srv data", external=True)
"""


def test_nox_runs_what_its_sessions_say_and_the_file_as_code() -> None:
    assert commands_in({"noxfile.py": _NOX}, "nox -s wipe") == ["rm -rf /srv data"]
    assert [each.split()[0] for each in commands_in({"noxfile.py": _NOX}, "nox -s tests")] == ["pytest"]
    assert "rm -rf /srv data" in commands_in({"noxfile.py": _NOX}, "nox")
    assert code_in({"noxfile.py": _NOX}, "nox") == [("python", _NOX)]


def test_tasks_are_found_by_the_names_that_they_are_given_and_by_those_that_need_them() -> None:
    text = (
        "@task\ndef b(c):\n    c.run('ls b')\n@task(name='x', pre=[b])\ndef a(c):\n    c.run('ls a')\n"
        "@task\ndef other(c):\n    c.run('ls other')\n"
    )
    assert commands_in({"tasks.py": text}, "inv x") == ["ls b", "ls a"]
    assert commands_in({"tasks/__init__.py": text}, "inv other") == ["ls other"]
    assert commands_in({"noxfile.py": text.replace("c.run", "c.run_always")}, "nox -s 'b(3.11)'") == [
        "'ls b'"[1:-1]
    ]
    ((_, code),) = code_in({"tasks.py": text}, "inv other")
    assert "ls other" in code
    assert "ls b" not in code


def test_invoke_and_doit_run_the_lines_in_their_tasks() -> None:
    tasks = "@task\ndef a(c):\n    c.run('ls')\n@task\ndef wipe_all(c):\n    c.run(f'rm -rf {X}/*')\n"
    assert commands_in({"tasks.py": tasks}, "inv wipe-all") == ["rm -rf {…}/*"]
    dodo = "def task_a():\n    return {'actions': ['rm -rf x', ['rm', '-r', 'y z']]}\n"
    assert commands_in({"dodo.py": dodo}, "doit") == ["rm -rf x", "rm -r y z"]


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("pytest", ["conftest.py", "tests/conftest.py"]),
        ("pytest tests/unit", ["conftest.py", "tests/conftest.py", "tests/unit/conftest.py"]),
        ("pytest tests/test_a.py::test_x -q", ["conftest.py", "tests/conftest.py", "tests/test_a.py"]),
        ("python -m pytest -k y other", ["conftest.py"]),
        ("python3 -m unittest tests.test_a", ["tests/test_a.py"]),
        (
            "uv run pytest tests/test_a.py",
            ["conftest.py", "setup.py", "tests/conftest.py", "tests/test_a.py"],
        ),
        ("pip install -e .", ["setup.py"]),
        ("pip install .[dev]", ["setup.py"]),
        ("pip install requests", []),
        ("python -m pip install ./lib", ["lib/setup.py"]),
        ("python -m build", ["setup.py"]),
        ("python setup.py sdist", ["setup.py"]),
        ("uv pip install -e .", ["setup.py"]),
        ("uv sync", ["setup.py"]),
        ("pip install -r requirements.txt", ["lib/setup.py"]),
        ("pip install file:///home/no-one/project", ["setup.py"]),
        ("pytest -p tool tests/x", ["conftest.py", "tests/conftest.py", "tool.py"]),
        ("coverage run -m pytest tests/test_a.py", ["conftest.py", "tests/conftest.py", "tests/test_a.py"]),
        ("coverage run tool.py", ["tool.py"]),
        ("uv run tool.py", ["setup.py", "tool.py"]),
    ],
)
def test_code_is_read_that_tests_and_builds_load(line: str, paths: list[str]) -> None:
    names = ("conftest.py", "tests/conftest.py", "tests/unit/conftest.py", "tests/test_a.py", "setup.py",
             "lib/setup.py", "tool.py", "tests/test_b.py")  # fmt: skip
    files = {"requirements.txt": "-e ./lib\nrequests\n", **{name: f"print({name!r})" for name in names}}
    assert sorted({text for _, text in code_in(files, line)}) == sorted(f"print({path!r})" for path in paths)


def test_tests_are_found_where_the_settings_say() -> None:
    files = {
        "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["spec/a"]\n',
        "spec/conftest.py": "x = 1",
    }
    assert code_in(files, "pytest -x") == [("python", "x = 1")]


def test_a_backend_in_the_project_and_hooks_of_a_build_are_code_that_runs() -> None:
    text = (
        '[build-system]\nbuild-backend = "own"\nbackend-path = ["tools"]\n[tool.hatch.build.hooks.custom]\n'
    )
    files = {"pyproject.toml": text, "tools/own.py": "a = 1", "hatch_build.py": "b = 1"}
    assert code_in(files, "pip install .") == [("python", "a = 1"), ("python", "b = 1")]
