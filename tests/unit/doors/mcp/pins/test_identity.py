"""What answers to a name: commands, programs, scripts, and what is fetched anew at each start."""

import os

import pytest

from fairlead.doors.mcp.pins.fetched_commands import FETCHERS, fetched_anew, script_of
from fairlead.doors.mcp.pins.server_identity import content_of, identity_of_command, identity_of_url


@pytest.mark.parametrize("line", [line for each in FETCHERS for line in each.fetches])
def test_a_command_that_fetches_what_is_newest_is_told(line):
    assert "without a version" in fetched_anew(line.split())


@pytest.mark.parametrize("line", [line for each in FETCHERS for line in each.keeps])
def test_a_command_with_a_version_that_stays_is_not(line):
    assert fetched_anew(line.split()) == ""


@pytest.mark.parametrize("line", ["/opt/node/bin/npx -y server", r"C:\node\npx.cmd -y server"])
def test_a_fetching_program_is_known_by_its_name_wherever_it_is(line):
    assert fetched_anew(line.split())


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("node server.js --port 1", "server.js"),
        ("python3.12 -u -X dev /srv/s.py", "/srv/s.py"),
        ("uv run --directory /srv s.py", "s.py"),
        ("java -jar s.jar", "s.jar"),
        ("python -m server s.py", ""),
        ("node -e 1 s.js", ""),
        ("mcp-server-git s.py", ""),
        ("", ""),
    ],
)
def test_the_script_of_an_interpreter_is_found(line, script):
    assert script_of(line.split()) == script


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "bin" / "server"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def identity(program, *words, cwd="/"):
    return identity_of_command(
        (program.name, *words), cwd=str(cwd), environment={"PATH": str(program.parent)}
    )


def test_a_program_is_known_by_where_it_was_found(program, tmp_path):
    assert identity(program).program == str(program)
    other = tmp_path / "other" / "server"
    other.parent.mkdir()
    program.rename(other)
    assert identity(other) != identity(program)


def test_a_link_that_leads_elsewhere_is_the_same_program_with_other_content(program, tmp_path):
    real = [tmp_path / "1.0", tmp_path / "2.0"]
    for path in real:
        path.write_text(f"#!/bin/sh\n# {path.name}\n")
        path.chmod(0o755)
    program.unlink()
    program.symlink_to(real[0])
    before, old = identity(program), content_of(str(program))
    program.unlink()
    program.symlink_to(real[1])
    assert identity(program) == before and content_of(str(program)).digest != old.digest


def test_a_script_is_found_from_the_folder_in_which_the_server_starts(tmp_path):
    (tmp_path / "s.py").write_text("")
    found = identity_of_command(("python3", "s.py"), cwd=str(tmp_path), environment=dict(os.environ))
    assert found.script == str(tmp_path / "s.py")


def test_a_file_that_nobody_touched_is_not_read_again(program):
    first = content_of(str(program))
    assert content_of(str(program), first) is first
    program.write_text("#!/bin/sh\nexit 1\n")
    assert content_of(str(program), first).digest != first.digest


def test_a_folder_and_what_is_gone_have_no_content(tmp_path):
    assert content_of(str(tmp_path)) is None and content_of(str(tmp_path / "no")) is None


def test_another_url_is_another_server():
    assert identity_of_url("https://a.example/mcp") != identity_of_url("https://a.example/mcp2")
