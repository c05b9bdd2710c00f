"""`fairlead-hook off` and `on`: the way out for a person when nothing but the client is left."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_workshop import Workshop, build_client, native_build

from fairlead.model.verdict import Reply
from fairlead.policy.off import read_off
from fairlead.policy.person import programs
from fairlead.policy.places import find_places

pytestmark = pytest.mark.slow
CONTAINER = ["unshare", "-rpf", "--mount-proc", "setsid", "-c", "sh", "-i"]


def can_make_a_container() -> bool:
    """Whether this user may have process numbers of their own here."""
    return bool(shutil.which("unshare")) and not subprocess.call([*CONTAINER[:3], "true"])


with_a_person = pytest.mark.skipif(
    not can_make_a_container(),
    reason="NOT TESTED: no namespaces may be made here, and nothing else in a test is a person's login",
)


@pytest.fixture(scope="module", params=["native", "sanitized"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_client(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture
def place(built: Path, tmp_path: Path) -> Iterator[Workshop]:
    """A client whose interpreter is gone."""
    workshop = Workshop(built, tmp_path)
    workshop.record["interpreter"] = "/gone/python3"
    workshop.call()  # writes the record
    yield workshop


def at_terminal(
    place: Workshop, *words: str, answer: str = "y", before: str = "", **variables: str
) -> tuple[int, str]:
    """Somebody who has entered a container types the command at its prompt, and the answer when asked.

    `before` is typed before the command's own words.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        CONTAINER,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={"PATH": "/usr/bin:/bin", "PS1": "", **variables},
        start_new_session=True,
    )
    os.close(theirs)
    command = shlex.join([str(place.client), "--home", str(place.home), *words])
    os.write(ours, f"stty -echo; {before} {command}; echo ended=$?.; exit\n".encode())
    shown, answered = b"", False
    while chunk := _read(ours):
        shown += chunk
        if shown.endswith(b"[y/N] ") and not answered:
            os.write(ours, f"{answer}\n".encode())
            answered = True
    os.close(ours)
    process.wait(timeout=60)
    said = shown.decode().rpartition("exit\r\n")[2] if b"exit\r\n" in shown else shown.decode()
    return int(said.partition("ended=")[2].partition(".")[0]), said


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other side is gone
        return b""


def is_off(place: Workshop) -> bool:
    return read_off(find_places(str(place.home))) is not None


@with_a_person
def test_a_person_at_a_terminal_goes_on_for_an_hour_without_python(place: Workshop) -> None:
    gone = place.call("claude", "PreToolUse")
    assert gone.exit_code == 2
    assert b"its interpreter is gone: /gone/python3" in gone.stderr
    assert f"`{place.client} --home {place.home} off`".encode() in gone.stderr
    code, shown = at_terminal(place, "off")
    assert code == 0, shown
    assert "Switch Fairlead off for every agent, for 1h?" in shown
    assert place.call("claude", "PreToolUse") == Reply()
    off = read_off(find_places(str(place.home)))
    assert off is not None
    assert 3500 < off.until - time.time() <= 3600
    assert (place.state / "off").stat().st_mode & 0o777 == 0o600
    again = subprocess.run([place.client, "--home", place.home, "on"], capture_output=True, check=False)
    assert (again.returncode, again.stderr) == (0, b"Fairlead is on\n")
    assert place.call("claude", "PreToolUse").exit_code == 2


@with_a_person
@pytest.mark.parametrize(("given", "seconds"), [("30m", 1800), ("8h", 28800), ("2d", 172800)])
def test_a_time_can_be_given(place: Workshop, given: str, seconds: int) -> None:
    assert at_terminal(place, "off", "--for", given)[0] == 0
    off = read_off(find_places(str(place.home)))
    assert off is not None
    assert seconds - 100 < off.until - time.time() <= seconds


@with_a_person
@pytest.mark.parametrize(
    "words",
    [("off", "--for"), ("off", "--for", "soon"), ("off", "--for", "0h"), ("off", "claude"), ("on", "x")],
)
def test_what_makes_no_sense_changes_nothing(place: Workshop, words: tuple[str, ...]) -> None:
    assert at_terminal(place, *words)[0] == 64
    assert not is_off(place)


@with_a_person
@pytest.mark.parametrize("answer", ["", "n", "yesterday", "oui"])
def test_anything_but_yes_changes_nothing(place: Workshop, answer: str) -> None:
    code, shown = at_terminal(place, "off", answer=answer)
    assert (code, is_off(place)) == (1, False), shown


def test_without_a_terminal_nobody_can_answer(place: Workshop) -> None:
    words = [place.client, "--home", place.home, "off"]
    done = subprocess.run(words, input=b"y\n", capture_output=True, start_new_session=True, check=False)
    assert (done.returncode, is_off(place)) == (1, False)
    assert b"in your own terminal" in done.stderr


@with_a_person
@pytest.mark.parametrize("variable", sorted(programs.AGENT_VARIABLES))
def test_every_variable_that_agents_set_is_a_sign_of_one(place: Workshop, variable: str) -> None:
    code, shown = at_terminal(place, "off", before=f"{variable}=1")
    assert (code, is_off(place)) == (1, False), shown
    assert f"{variable} is set, as in an agent" in shown


@with_a_person
def test_a_variable_that_a_parent_had_is_a_sign_too(place: Workshop) -> None:
    code, shown = at_terminal(place, "off", before="env -u CLAUDECODE", CLAUDECODE="1")
    assert (code, is_off(place)) == (1, False), shown
    assert "inside an agent: " in shown


@with_a_person
@pytest.mark.parametrize("name", ["claude", "Gemini.js", "codex.exe", "qwen.mjs", "aider.py"])
def test_an_agent_among_the_parents_is_seen_by_its_name(place: Workshop, name: str) -> None:
    script = place.folder / name
    script.write_text('"$@"; exit $?\n')
    code, shown = at_terminal(place, "off", before=f"sh {script}")
    assert (code, is_off(place)) == (1, False), shown
    assert "inside an agent: " in shown


@with_a_person
@pytest.mark.parametrize(
    "between", ["sh ./run", "sh -c '\"$@\"; exit $?' x", "script -qec", "setsid -w", "python3 -c"]
)
def test_what_is_no_shell_that_waits_for_input_is_no_person(place: Workshop, between: str) -> None:
    run = place.folder / "run"
    run.write_text('"$@"; exit $?\n')
    command = shlex.join([str(place.client), "--home", str(place.home), "off"])
    given = {
        "script -qec": f"script -qec {shlex.quote(command)} /dev/null; true",
        "python3 -c": f"python3 -c 'import os; raise SystemExit(os.system({command!r}) >> 8)'; true",
    }.get(between, f"{between.replace('./', f'{place.folder}/')} {command}; true")
    at_terminal(place, "on", before=f"{given};")
    assert not is_off(place)
    assert not (place.state / "off").exists()


@pytest.mark.skipif(not shutil.which("script"), reason="NOT TESTED: there is no script(1) here")
def test_a_terminal_of_its_own_below_init_is_no_persons(place: Workshop) -> None:
    done = place.folder / "done"
    line = f"yes | {shlex.join([str(place.client), '--home', str(place.home), 'off'])}; echo $? > {done}"
    subprocess.run(["setsid", "-f", "env", "-i", "script", "-qec", line, "/dev/null"], check=True)
    deadline = time.monotonic() + 60
    while not done.exists() or not done.read_text():
        assert time.monotonic() < deadline, "it never came to an end"
        time.sleep(0.02)
    assert (done.read_text(), is_off(place)) == ("1\n", False)


@with_a_person
@pytest.mark.parametrize("sealed", ["file", "record"])
def test_with_a_passphrase_it_refuses_and_says_how(place: Workshop, sealed: str) -> None:
    if sealed == "file":
        (place.state / "passphrase").write_text("scrypt:...")
    else:
        place.record["sealed"] = "0" * 64
        place.call()
    code, shown = at_terminal(place, "off")
    assert (code, is_off(place)) == (1, False), shown
    assert "`fairlead off` asks for it" in shown


@with_a_person
def test_it_makes_the_folder_for_its_marker(place: Workshop) -> None:
    place.state.rmdir()
    assert at_terminal(place, "off")[0] == 0
    assert is_off(place)


def test_the_signs_have_one_source() -> None:
    signs = native_build().agent_signs()
    assert set(signs["AGENT_PROGRAMS"]) == programs.AGENTS
    assert set(signs["AGENT_VARIABLES"]) == programs.AGENT_VARIABLES
    logins = {name for login in programs.LOGINS for name in login.names}
    assert {*signs["TERMINAL_WINDOWS"], *signs["CONSOLE_LOGINS"], *signs["REMOTE_LOGINS"]} == logins


def test_where_python_is_not_gone_the_package_decides(built: Path, tmp_path: Path) -> None:
    workshop = Workshop(built, tmp_path)
    workshop.make_interpreter(then="sys.exit(7 if '-m' in sys.argv else 0)")
    assert workshop.call("off", "--for", "8h", payload=b"").exit_code == 7
    given = (workshop.cold_call() or {})["words"]
    assert given == ["-I", "-m", "fairlead", "--home", str(workshop.home), "off", "--for", "8h"]
    workshop.make_interpreter(then="sys.exit(1)")  # as one without the package
    refused = workshop.call("off", payload=b"", start_new_session=True)
    assert (refused.exit_code, b"in your own terminal" in refused.stderr) == (1, True)


@pytest.mark.parametrize("words", [("off",), ("off", "--for", "8h"), ("on",)])
def test_the_client_in_python_hands_over_to_the_package(tmp_path: Path, words: tuple[str, ...]) -> None:
    workshop = Workshop(build_client("pure", tmp_path / "pure"), tmp_path)
    workshop.make_interpreter(then="sys.exit(7)")
    assert workshop.call(*words, payload=b"").exit_code == 7
    given = (workshop.cold_call() or {})["words"]
    wanted = ("off", "--for", "1h") if words == ("off",) else words
    assert given == ["-I", "-m", "fairlead", "--home", str(workshop.home), *wanted]
    workshop.record["interpreter"] = "/gone/python3"
    gone = workshop.call(*words, payload=b"")
    assert (gone.exit_code, b"its interpreter is gone: /gone/python3" in gone.stderr) == (1, True)
