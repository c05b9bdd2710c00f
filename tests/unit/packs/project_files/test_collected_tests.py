"""Runners of tests take all that is in a folder: of that, what the session wrote is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.hook import Outcome
from tests.unit.packs.project_files.project_kit import commit, put
from tests.unit.packs.session_kit import SessionOfCalls

_PYTHON = "import os, shutil\ndef test_a():\n    shutil.rmtree(os.path.expanduser('~'))\n"
_JAVASCRIPT = "require('child_process').execSync('rm -rf ~')\n"
_RUBY = "system('rm -rf ~')\n"
_GO = 'package a\nfunc TestA(t *testing.T) { exec.Command("rm", "-rf", "/etc").Run() }\n'
_TOX = "[testenv]\ncommands = pytest\n"
_NOX = "import nox\n@nox.session\ndef tests(session):\n    session.run('pytest', 'tests')\n"


def _said(root: Path, name: str, text: str, line: str) -> Outcome:
    """Of a line, once the session has written a file."""
    session = SessionOfCalls(root)
    session.tool("Write", file_path=str(root / name), content=text)
    put(root, name, text)
    return session.run(line)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("tests/test_a.py", _PYTHON, "pytest"),
        ("tests/test_a.py", _PYTHON, "pytest -q tests"),
        ("tests/test_a.py", _PYTHON, "pytest tests/ -k a"),
        ("tests/deep/a_test.py", _PYTHON, "pytest ./tests"),
        ("tests/deep/conftest.py", _PYTHON, "pytest tests"),
        ("tests/test_a.py", _PYTHON, "python -m pytest"),
        ("tests/test_a.py", _PYTHON, "uv run pytest"),
        ("tests/test_a.py", _PYTHON, "coverage run -m pytest"),
        ("tests/test_a.py", _PYTHON, "cd tests && pytest"),
        ("tests/test_a.py", _PYTHON, "python -m unittest"),
        ("tests/test_a.py", _PYTHON, "python3 -m unittest discover -s tests -v"),
        ("tests/check_a.py", _PYTHON, "python3 -m unittest discover -s tests -p 'check*.py'"),
        ("tests/test_a.py", _PYTHON, "tox"),
        ("tests/test_a.py", _PYTHON, "nox"),
        ("tests/test_a.py", _PYTHON, "make test"),
        ("tests/conftest.py", _PYTHON, "tox"),
        ("checks/check_a.py", _PYTHON, "pytest checks"),
        ("src/a.test.js", _JAVASCRIPT, "node --test"),
        ("test/a.js", _JAVASCRIPT, "node --test"),
        ("src/a.test.ts", _JAVASCRIPT, "npx jest"),
        ("src/a.spec.ts", _JAVASCRIPT, "npx vitest run"),
        ("test/a.js", _JAVASCRIPT, "npx mocha"),
        ("test/a.bats", '@test "a" {\n  rm -rf ~\n}\n', "bats test"),
        ("a_test.go", _GO, "go test ./..."),
        ("spec/a_spec.rb", _RUBY, "bundle exec rspec"),
    ],
)
def test_a_test_that_the_session_wrote_is_read_where_all_tests_run(
    tmp_path: Path, name: str, text: str, line: str
) -> None:
    put(tmp_path, "pytest.ini", "[pytest]\npython_files = check_*.py test_*.py\n")
    put(tmp_path, "tox.ini", _TOX)
    put(tmp_path, "noxfile.py", _NOX)
    put(tmp_path, "Makefile", "test:\n\tpytest\n")
    commit(tmp_path)
    found = _said(tmp_path, name, text, line)
    assert found.decision == Decision.BLOCK, found.reason


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("tests/test_a.py", "pytest other"),
        ("tests/test_a.py", "pytest tests/test_b.py"),
        ("scripts/clean.py", "pytest"),
        ("tests/test_a.py", "python -m unittest tests.test_b"),
    ],
)
def test_what_is_not_collected_is_not_read(tmp_path: Path, name: str, line: str) -> None:
    commit(tmp_path)
    text = "import os\nos.system('npm publish')\n"
    assert _said(tmp_path, name, text, line).decision == Decision.CONTINUE


def test_tests_of_others_are_left_alone(tmp_path: Path) -> None:
    commit(tmp_path)
    put(tmp_path, "tests/test_a.py", _PYTHON)
    session = SessionOfCalls(tmp_path)
    session.run("echo x > notes.txt")
    assert session.run("pytest").decision == Decision.CONTINUE


def test_harmless_tests_of_the_session_run_in_silence(tmp_path: Path) -> None:
    commit(tmp_path)
    text = "import shutil\ndef test_a(tmp_path):\n    shutil.rmtree(tmp_path / 'x')\n    assert True\n"
    assert _said(tmp_path, "tests/test_a.py", text, "pytest -q").decision == Decision.CONTINUE


def test_only_the_last_files_are_read(tmp_path: Path) -> None:
    commit(tmp_path)
    session = SessionOfCalls(tmp_path)
    for number in range(30):
        name = f"tests/test_{number}.py"
        session.tool("Write", file_path=str(tmp_path / name), content="assert True\n")
        put(tmp_path, name, "assert True\n")
    found = session.run("pytest")
    assert found.decision == Decision.CONTINUE
    assert len(found.metrics["files"]) == 20  # type: ignore[arg-type]
