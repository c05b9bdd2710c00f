"""A file is written with a tool, and then an everyday command loads it."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.project_files.project_kit import commit, put
from tests.unit.packs.session_kit import SessionOfCalls

_TABLE = tomllib.loads((Path(__file__).parent / "loaded_files.toml").read_text())
_LINES = _TABLE["lines"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    for name, text in _TABLE["project"].items():
        put(root, name, text)
    commit(root)
    return root


@pytest.fixture
def root(project: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(project, tmp_path / "project"))


def _write_then_run(root: Path, command: str, files: list[str]) -> Decision:
    session = SessionOfCalls(root)
    _put(root, files, session)
    return session.run(command).decision


def _put(root: Path, files: list[str], session: SessionOfCalls | None = None) -> None:
    for name, text in zip(files[::2], files[1::2], strict=True):
        if session is not None:
            session.tool("Write", file_path=str(root / name), content="")
        put(root, name, text)


@pytest.mark.parametrize("line", _LINES["dangerous"], ids=lambda line: line[0])
def test_what_the_session_wrote_is_judged_when_a_command_loads_it(root: Path, line: list[str]) -> None:
    command, *files = line
    for danger in _TABLE["dangers"]:
        filled = [text.replace("@line@", danger) for text in files]
        assert _write_then_run(root, command, filled).objects, danger


@pytest.mark.parametrize("line", _LINES["harmless"], ids=lambda line: line[0])
def test_what_people_write_into_such_files_passes(root: Path, line: list[str]) -> None:
    command, *files = line
    assert _write_then_run(root, command, files) == Decision.CONTINUE


@pytest.mark.parametrize("line", _LINES["harmless"], ids=lambda line: line[0])
def test_a_committed_file_with_ordinary_content_passes(root: Path, line: list[str]) -> None:
    command, *files = line
    _put(root, files)
    commit(root)
    assert SessionOfCalls(root).run(command).decision == Decision.CONTINUE


def test_a_file_with_more_commands_than_are_read_asks(root: Path) -> None:
    many = "".join(f"Host h{number}\n  ProxyCommand nc h{number} 22\n" for number in range(100))
    assert _write_then_run(root, "ssh -F conf h1", ["conf", many]) == Decision.ASK


def test_a_file_that_loads_code_from_elsewhere_asks_only_where_the_session_wrote_it(root: Path) -> None:
    files = [".mvn/extensions.xml", "<extensions><extension/></extensions>\n"]
    assert _write_then_run(root, "mvn test", files) == Decision.ASK
    commit(root)
    assert SessionOfCalls(root).run("mvn test").decision == Decision.CONTINUE


def test_an_option_that_lets_a_format_run_programs_is_waited_for(root: Path) -> None:
    files = ["x.tex", "\\immediate\\write18{rm -rf ~}\n"]
    assert _write_then_run(root, "pdflatex x.tex", files) == Decision.CONTINUE
    assert _write_then_run(root, "pdflatex -shell-escape x.tex", files) == Decision.BLOCK


def test_what_nobody_knows_of_the_input_of_a_database_is_not_asked_about(root: Path) -> None:
    line = "gunzip -c dump.sql.gz | mysql -h 127.0.0.1 app_dev"
    assert SessionOfCalls(root).run(line).decision == Decision.CONTINUE
