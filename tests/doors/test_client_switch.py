"""`fairlead-hook off` and `on`: the way out for a person when nothing but the client is left."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_workshop import Workshop, build_client, native_build

from fairlead.model.verdict import Reply
from fairlead.policy.human import AGENT_PROGRAMS, AGENT_VARIABLES, ancestry, find_agent
from fairlead.policy.off import read_off
from fairlead.policy.places import find_places

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(find_agent(ancestry, os.environ)),
        reason="NOT TESTED: an agent runs these tests, and what they test refuses to work for one",
    ),
]
TAKE_THE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


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
    place: Workshop, *words: str, answer: str = "y", through: tuple[str, ...] = (), **variables: str
) -> tuple[int, str]:
    """Types the answer when asked; `through` is what stands between the terminal and the client."""
    ours, theirs = pty.openpty()
    command = [*through, str(place.client), "--home", str(place.home), *words]
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE_THE_TERMINAL, *command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={"PATH": "/usr/bin:/bin", **variables},
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
        if shown.endswith(b"[y/N] "):
            os.write(ours, f"{answer}\n".encode())
    os.close(ours)
    return process.wait(timeout=60), shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that the other side is gone
        return b""


def is_off(place: Workshop) -> bool:
    return read_off(find_places(str(place.home))) is not None


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


@pytest.mark.parametrize(("given", "seconds"), [("30m", 1800), ("8h", 28800), ("2d", 172800)])
def test_a_time_can_be_given(place: Workshop, given: str, seconds: int) -> None:
    assert at_terminal(place, "off", "--for", given)[0] == 0
    off = read_off(find_places(str(place.home)))
    assert off is not None
    assert seconds - 100 < off.until - time.time() <= seconds


@pytest.mark.parametrize(
    "words",
    [("off", "--for"), ("off", "--for", "soon"), ("off", "--for", "0h"), ("off", "claude"), ("on", "x")],
)
def test_what_makes_no_sense_changes_nothing(place: Workshop, words: tuple[str, ...]) -> None:
    assert at_terminal(place, *words)[0] == 64
    assert not is_off(place)


@pytest.mark.parametrize("answer", ["", "n", "yesterday", "oui"])
def test_anything_but_yes_changes_nothing(place: Workshop, answer: str) -> None:
    code, shown = at_terminal(place, "off", answer=answer)
    assert (code, is_off(place)) == (1, False), shown


def test_without_a_terminal_nobody_can_answer(place: Workshop) -> None:
    words = [place.client, "--home", place.home, "off"]
    done = subprocess.run(words, input=b"y\n", capture_output=True, start_new_session=True, check=False)
    assert (done.returncode, is_off(place)) == (1, False)
    assert b"in your own terminal" in done.stderr


@pytest.mark.parametrize("variable", sorted(AGENT_VARIABLES))
def test_every_variable_that_agents_set_is_a_sign_of_one(place: Workshop, variable: str) -> None:
    code, shown = at_terminal(place, "off", **{variable: "1"})
    assert (code, is_off(place)) == (1, False), shown
    assert f"inside an agent: {variable} is set" in shown


def test_a_variable_that_a_parent_had_is_a_sign_too(place: Workshop) -> None:
    hidden = ("/bin/sh", "-c", 'env -u CLAUDECODE "$@"; exit $?', "sh")
    code, shown = at_terminal(place, "off", through=hidden, CLAUDECODE="1")
    assert (code, is_off(place)) == (1, False), shown
    assert "inside an agent: process " in shown


@pytest.mark.parametrize("name", ["claude", "Gemini.js", "codex.exe", "qwen.mjs", "aider.py"])
def test_an_agent_among_the_parents_is_seen_by_its_name(place: Workshop, name: str) -> None:
    script = place.folder / name
    script.write_text('"$@"; exit $?\n')
    code, shown = at_terminal(place, "off", through=("/bin/sh", str(script)))
    assert (code, is_off(place)) == (1, False), shown
    assert "inside an agent: process " in shown


def test_a_harmless_parent_is_no_agent(place: Workshop) -> None:
    script = place.folder / "claudette"
    script.write_text('"$@"; exit $?\n')
    assert at_terminal(place, "off", through=("/bin/sh", str(script)))[0] == 0


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


def test_it_makes_the_folder_for_its_marker(place: Workshop) -> None:
    place.state.rmdir()
    assert at_terminal(place, "off")[0] == 0
    assert is_off(place)


def test_the_signs_of_an_agent_have_one_source() -> None:
    signs = native_build().agent_signs()
    assert (set(signs["AGENT_PROGRAMS"]), set(signs["AGENT_VARIABLES"])) == (AGENT_PROGRAMS, AGENT_VARIABLES)


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
