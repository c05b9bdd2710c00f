"""One suite for both clients: they behave alike, down to the byte."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from pathlib import Path

import pytest
from client_workshop import Daemons, Workshop, answering, leave_a_socket, request_id

from fairlead.doors.daemon.wire import (
    ACKNOWLEDGED,
    GO_COLD,
    REPLY,
    acknowledgement,
    frame,
)
from fairlead.doors.hook.hook_call import PAYLOAD_BOUND, HookCall
from fairlead.model.verdict import Reply
from fairlead.platforms import here

DENY = b'"permissionDecision": "deny"'


REAL_RUNTIME = [Path(f"/run/user/{os.getuid()}/fairlead"), Path(f"/tmp/fairlead-{os.getuid()}")]
no_daemon_of_the_user = pytest.mark.skipif(
    any((folder / "daemon.sock").exists() for folder in REAL_RUNTIME),
    reason="your own Fairlead daemon is running, and this test would ask it",
)


# --- the daemon answers ---


def test_the_daemons_answer_is_relayed_byte_for_byte(workshop: Workshop, daemons: Daemons) -> None:
    reply = Reply(7, b"out\x00\xff no newline", b"err\r\n")
    daemons(workshop, answering(reply))
    assert workshop.call() == reply
    assert workshop.cold_call() is None


def test_the_daemon_gets_everything_that_the_caller_had(workshop: Workshop, daemons: Daemons) -> None:
    daemon = daemons(workshop, answering(Reply()))
    payload = b'\xef\xbb\xbf{"a": "\x00\xff"}\r\n\n'
    environment = {"ODD": "a=b\n\xe4", "EMPTY": "", "LD_DEBUG": "unknown"}
    workshop.call("claude", "PreToolUse", payload=payload, environment=environment, cwd=str(workshop.folder))
    request = daemon.requests[0]
    assert (request.agent, request.native_event) == ("claude", "PreToolUse")
    assert request.cwd == str(workshop.folder)
    assert request.payload == payload
    assert {name: request.environment[name] for name in environment} == environment


def test_the_daemon_is_told_which_files_the_client_sees(workshop: Workshop, daemons: Daemons) -> None:
    if workshop.runner == "aarch64":
        pytest.skip("the emulator has the same number for every mount")
    daemon = daemons(workshop, answering(Reply()))
    workshop.call()
    assert daemon.roots[0] in ("", here.name_of_root())


def test_an_event_need_not_be_named(workshop: Workshop, daemons: Daemons) -> None:
    daemon = daemons(workshop, answering(Reply()))
    workshop.call("codex")
    assert (daemon.requests[0].agent, daemon.requests[0].native_event) == ("codex", "")


def test_every_call_has_a_request_id_of_its_own(workshop: Workshop, daemons: Daemons) -> None:
    daemon = daemons(workshop, answering(Reply()))
    for _ in range(3):
        workshop.call()
    ids = {request.request for request in daemon.requests}
    assert len(ids) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in ids)


def test_the_largest_payload_and_a_large_answer_pass_whole(workshop: Workshop, daemons: Daemons) -> None:
    reply = Reply(0, b"x" * 3_000_000, b"y" * 100_000)
    daemon = daemons(workshop, answering(reply))
    payload = os.urandom(1 << 20) * 16
    assert workshop.call(payload=payload) == reply
    assert daemon.requests[0].payload == payload


def test_a_payload_above_the_bound_arrives_as_too_large_and_is_read_to_its_end(
    workshop: Workshop, daemons: Daemons
) -> None:
    daemon = daemons(workshop, answering(Reply(2, b"", b"too large\n")))
    assert workshop.call(payload=b"x" * (PAYLOAD_BOUND + 500_000)).exit_code == 2
    assert len(daemon.requests[0].payload) == PAYLOAD_BOUND + 1


def test_an_answer_without_an_acknowledgement_counts(workshop: Workshop, daemons: Daemons) -> None:
    from fairlead.doors.daemon.wire import reply_frame

    daemons(workshop, lambda connection, _: connection.sendall(reply_frame(Reply(0, b"quick"))))
    assert workshop.call() == Reply(0, b"quick")


def test_an_answer_in_small_pieces_is_put_together(workshop: Workshop, daemons: Daemons) -> None:
    def dribble(connection: socket.socket, _: HookCall) -> None:
        from fairlead.doors.daemon.wire import reply_frame

        for byte in acknowledgement(5) + reply_frame(Reply(3, b"out", b"err")):
            connection.sendall(bytes((byte,)))

    daemons(workshop, dribble)
    assert workshop.call() == Reply(3, b"out", b"err")


def test_a_home_with_a_long_name_works(checked_client: Path, tmp_path: Path, daemons: Daemons) -> None:
    workshop = Workshop(checked_client, tmp_path / ("long" * 40))
    daemons(workshop, answering(Reply(0, b"warm")))
    assert workshop.call() == Reply(0, b"warm")


@no_daemon_of_the_user
def test_without_home_the_runtime_folder_is_that_of_the_uid(workshop: Workshop, daemons: Daemons) -> None:
    """No variable moves it: neither HOME, nor TMPDIR, nor XDG_RUNTIME_DIR."""
    daemon = daemons(workshop, answering(Reply(0, b"warm")))
    moved = str(workshop.home)
    workshop.call(moved=False, environment={"HOME": moved, "TMPDIR": moved, "XDG_RUNTIME_DIR": moved})
    assert daemon.requests == []


# --- the daemon does not answer ---


def test_without_a_daemon_the_interpreter_answers(workshop: Workshop) -> None:
    assert workshop.call("claude", "Stop", payload=b"\x00bytes\xff") == Reply(0, b"cold answer")
    cold = workshop.cold_call()
    assert cold is not None
    words = cold["words"]
    assert isinstance(words, list)
    assert words[:5] == ["-I", "-m", "fairlead", "--home", str(workshop.home)]
    assert words[-2:] == ["claude", "Stop"]
    assert request_id(words)
    assert cold["payload"] == "\x00bytes\xff"


def test_a_payload_larger_than_a_pipe_reaches_the_interpreter(workshop: Workshop) -> None:
    payload = b"0123456789" * 300_000
    assert workshop.call(payload=payload).stdout == b"cold answer"
    assert (workshop.cold_call() or {})["payload"] == payload.decode()


def test_the_interpreter_gets_no_variable_that_could_put_code_into_it(workshop: Workshop) -> None:
    """Nothing comes through under its own name; under another it does, for hook scripts."""
    given = {
        "PYTHONPATH": "/evil",
        "LD_AUDIT_X": "/evil",
        "OPENSSL_CONF": "/evil",
        "PLAIN": "x=y\n",
        "LANG": "x",
    }
    workshop.call(environment=given)
    environment = (workshop.cold_call() or {})["environment"]
    assert isinstance(environment, dict)
    kept = {name: value for name, value in environment.items() if name.startswith("FAIRLEAD_KEPT_")}
    assert environment.keys() - kept.keys() == {"PATH", "LANG"}
    assert environment["LANG"] == "C.UTF-8"
    for name, value in given.items():
        assert kept[f"FAIRLEAD_KEPT_{name}"] == value


def test_a_stale_socket_is_no_daemon(workshop: Workshop) -> None:
    leave_a_socket(workshop.run_folder)
    assert workshop.call().stdout == b"cold answer"


def test_a_daemon_that_breaks_off_before_its_answer_is_replaced_under_the_same_request(
    workshop: Workshop, daemons: Daemons
) -> None:
    daemon = daemons(workshop, lambda connection, _: connection.sendall(acknowledgement(10)))
    assert workshop.call().stdout == b"cold answer"
    words = (workshop.cold_call() or {})["words"]
    assert isinstance(words, list)
    assert request_id(words) == daemon.requests[0].request


def test_a_daemon_that_does_not_acknowledge_is_not_waited_for(workshop: Workshop, daemons: Daemons) -> None:
    daemons(workshop, lambda *_: daemons.started[0].wait())
    assert workshop.call().stdout == b"cold answer"


def test_a_call_that_was_acknowledged_and_not_answered_is_denied_and_never_run_again(
    workshop: Workshop, daemons: Daemons
) -> None:
    workshop.record["timeout.claude"] = "1"

    def hang(connection: socket.socket, _: HookCall) -> None:
        connection.sendall(acknowledgement(60))
        daemons.started[0].wait()

    daemons(workshop, hang)
    reply = workshop.call()
    assert (reply.exit_code, DENY in reply.stdout) == (2, True)
    assert b"in time" in reply.stderr
    assert workshop.cold_call() is None


def test_the_deadline_that_the_daemon_names_counts_if_it_is_earlier(
    workshop: Workshop, daemons: Daemons
) -> None:
    workshop.record["timeout"] = "3600"

    def hang(connection: socket.socket, _: HookCall) -> None:
        connection.sendall(acknowledgement(0.05))
        daemons.started[0].wait()

    daemons(workshop, hang)
    assert workshop.call().exit_code == 2


def test_the_client_names_less_time_than_it_waits(workshop: Workshop, daemons: Daemons) -> None:
    workshop.record["timeout"] = "100"
    daemon = daemons(workshop, answering(Reply()))
    workshop.call()
    assert 40 < daemon.requests[0].seconds <= 54


@pytest.mark.parametrize(
    "answer",
    [
        frame(GO_COLD, b"another version"),
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        (33 << 20).to_bytes(4, "big") + bytes((REPLY,)),
        frame(REPLY, b"\0\0\0\0\0\0\xff\xffshort"),
        frame(REPLY, b"\0"),
        frame(ACKNOWLEDGED, b""),
        frame(99, b"?"),
    ],
    ids=["go cold", "another protocol", "too long", "lying length", "too short", "empty promise", "unknown"],
)
def test_what_is_no_answer_sends_the_client_to_the_interpreter(
    workshop: Workshop, daemons: Daemons, answer: bytes
) -> None:
    daemons(workshop, lambda connection, _: connection.sendall(answer))
    assert workshop.call().stdout == b"cold answer"


def test_a_runtime_folder_that_others_can_enter_is_not_used(workshop: Workshop, daemons: Daemons) -> None:
    daemon = daemons(workshop, answering(Reply(0, b"warm")))
    workshop.run_folder.chmod(0o755)
    assert workshop.call().stdout == b"cold answer"
    assert daemon.requests == []


def test_a_runtime_folder_that_is_a_link_is_not_used(workshop: Workshop, daemons: Daemons) -> None:
    daemon = daemons(workshop, answering(Reply(0, b"warm")))
    workshop.run_folder.rename(workshop.home / "elsewhere")
    workshop.run_folder.symlink_to("elsewhere")
    assert workshop.call().stdout == b"cold answer"
    assert daemon.requests == []


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to own files as another user")
def test_a_runtime_folder_of_another_user_is_not_used(workshop: Workshop, daemons: Daemons) -> None:
    daemon = daemons(workshop, answering(Reply(0, b"warm")))
    os.chown(workshop.run_folder, 65534, 65534)
    assert workshop.call().stdout == b"cold answer"
    assert daemon.requests == []


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to start a daemon as another user")
def test_a_daemon_of_another_user_is_not_told_anything(workshop: Workshop) -> None:
    """The peer's name comes from listen()."""
    script = (
        "import os, socket, sys\n"
        "os.chdir(sys.argv[1]); s = socket.socket(socket.AF_UNIX); s.bind('daemon.sock')\n"
        "os.setuid(65534); s.listen(); print('up', flush=True)\n"
        "c, _ = s.accept(); print(len(c.recv(100)), flush=True)\n"
    )
    impostor = subprocess.Popen(
        ["python3", "-c", script, str(workshop.run_folder)], stdout=subprocess.PIPE, text=True
    )
    assert impostor.stdout is not None
    assert impostor.stdout.readline() == "up\n"
    assert workshop.call().stdout == b"cold answer"
    assert impostor.stdout.readline() == "0\n"
    impostor.stdout.close()
    impostor.wait()


# --- nothing answers ---


def test_without_an_interpreter_a_gating_event_is_denied_in_the_agents_dialect(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    reply = workshop.call("claude", "PreToolUse")
    assert reply.exit_code == 2
    assert DENY in reply.stdout
    assert b"fairlead doctor" in reply.stderr
    assert b"fairlead off" in reply.stderr


def test_without_an_interpreter_an_informing_event_is_let_through_in_silence(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    assert workshop.call("claude", "SessionEnd") == Reply()


def test_an_agent_that_nobody_knows_is_refused_by_the_exit_code(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    reply = workshop.call("nobodys-agent", "PreToolUse")
    assert (reply.exit_code, reply.stdout) == (2, b"")
    assert b"fairlead doctor" in reply.stderr


@pytest.mark.parametrize(
    "then",
    [
        "sys.stderr.write('No module named fairlead\\n'); sys.exit(1)",
        "print('allowed?'); sys.stderr.write('No module named fairlead\\n')",
        "sys.stderr.write('No module named fairlead\\n'); sys.stderr.flush(); os.write(3, b'half')",
        "sys.stderr.write('No module named fairlead\\n'); sys.stderr.flush(); os.kill(os.getpid(), 9)",
    ],
    ids=["exits with 1", "exits with 0", "half an answer", "killed"],
)
def test_an_interpreter_that_breaks_is_a_deny_that_says_how(workshop: Workshop, then: str) -> None:
    workshop.make_interpreter(then=then)
    reply = workshop.call()
    assert reply.exit_code == 2
    assert DENY in reply.stdout
    assert b"allowed?" not in reply.stdout
    assert reply.stderr.endswith(b"No module named fairlead\n")


def test_an_interpreter_that_hangs_is_ended_and_the_call_denied(workshop: Workshop) -> None:
    workshop.record["timeout"] = "2"
    workshop.make_interpreter(then="open(sys.argv[0] + '.pid', 'w').write(str(os.getpid())); time.sleep(600)")
    reply = workshop.call()
    assert (reply.exit_code, b"in time" in reply.stderr) == (2, True)
    pid = int((workshop.folder / "interpreter.pid").read_text())
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text():
        assert time.monotonic() < deadline, "the interpreter still runs"
        time.sleep(0.01)


def test_an_input_that_never_ends_is_denied(workshop: Workshop) -> None:
    workshop.record["timeout"] = "0.5"
    reading, writing = os.pipe()
    process = workshop.start("claude", "PreToolUse", stdin=reading)
    out, _ = process.communicate(timeout=60)
    os.close(reading)
    os.close(writing)
    assert (process.returncode, DENY in out) == (2, True)


@pytest.mark.parametrize(
    ("marker", "lets_through"),
    [
        ("0\n", True),
        ("9999999999", True),
        ("0\nclaude\n", True),
        ("0\ngemini\nclaude", True),
        ("0\ngemini\n", False),
        ("1000000000\n", False),
        ("1000000000\nclaude\n", False),
        ("", False),
        ("yes\n", False),
        ("-1\n", False),
        ("12x\n", False),
        ("999999999999999\n", True),
        ("1000000000000000\n", False),
    ],
)
def test_the_off_marker_makes_the_last_resort_neutral(
    workshop: Workshop, marker: str, lets_through: bool
) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    (workshop.state / "off").write_text(marker)
    (workshop.state / "off").chmod(0o600)
    reply = workshop.call("claude", "PreToolUse")
    assert (reply == Reply()) is lets_through
    assert (reply.exit_code == 2) is not lets_through


def test_an_off_marker_that_others_could_have_written_does_not_count(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    marker = workshop.state / "off"
    marker.write_text("0\n")
    for mode in (0o620, 0o602, 0o666):
        marker.chmod(mode)
        assert workshop.call().exit_code == 2


def test_an_off_marker_that_is_a_link_does_not_count(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    (workshop.folder / "real").write_text("0\n")
    (workshop.state / "off").symlink_to(workshop.folder / "real")
    assert workshop.call().exit_code == 2


def test_what_is_no_file_in_the_place_of_the_off_marker_does_not_count(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    marker = workshop.state / "off"
    marker.mkdir()
    assert workshop.call().exit_code == 2
    marker.rmdir()
    os.mkfifo(marker, 0o600)
    assert workshop.call().exit_code == 2


@pytest.mark.parametrize(
    ("marker", "recorded", "lets_through"),
    [
        ("0\n", "sealed=1\noff=0\n", True),
        ("9999999999\nclaude\n", "off=9999999999 claude\nsealed=1\n", True),
        ("9999999999\ngemini\nclaude", "sealed=1\noff=9999999999 gemini claude", True),
        ("0\n", "sealed=1\n", False),
        ("0\n", "sealed=\noff=\n", False),
        ("0\n", "sealed=1\noff=9999999999\n", False),
        ("9999999998\n", "sealed=1\noff=9999999999\n", False),
        ("0\nclaude\n", "sealed=1\noff=0\n", False),
        ("0\n", "sealed=1\noff=0 claude\n", False),
        ("1000000000\n", "sealed=1\noff=1000000000\n", False),
        ("0\n", "off=1\n", True),
    ],
)
def test_once_there_is_a_seal_the_off_marker_counts_only_if_the_record_says_the_same(
    workshop: Workshop, marker: str, recorded: str, lets_through: bool
) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    (workshop.state / "off").write_text(marker)
    (workshop.state / "off").chmod(0o600)
    workshop.note(recorded)
    assert (workshop.call("claude", "PreToolUse") == Reply()) is lets_through


def test_a_passphrase_without_a_seal_counts_as_one(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    (workshop.state / "off").write_text("0\n")
    assert workshop.call() == Reply()
    (workshop.state / "passphrase").symlink_to("nowhere")
    assert workshop.call().exit_code == 2
    workshop.note("off=0\n")
    assert workshop.call() == Reply()


def test_a_record_that_others_could_have_written_attests_nothing(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    (workshop.state / "off").write_text("0\n")
    (workshop.state / "passphrase").write_text("x")
    workshop.note("sealed=1\noff=0\n").chmod(0o602)
    assert workshop.call().exit_code == 2


@no_daemon_of_the_user
def test_the_off_marker_is_under_the_home_of_the_uid_and_not_under_a_variable(workshop: Workshop) -> None:
    workshop.record["interpreter"] = "/nonexistent/python"
    state = workshop.folder / "user" / ".local" / "state" / "fairlead"
    state.mkdir(parents=True)
    (state / "off").write_text("0\n")
    claimed = {"HOME": str(workshop.folder / "user")}
    assert workshop.call(moved=False, environment=claimed).exit_code == 2
    workshop.record["home"] = str(workshop.folder / "user")
    assert workshop.call(moved=False) == Reply()


# --- the command line and the streams ---


@pytest.mark.parametrize("words", [[], ["--help"], ["claude", "PreToolUse", "more"], ["-x"], [""]])
def test_a_wrong_command_line_lets_nothing_through(workshop: Workshop, words: list[str]) -> None:
    process = workshop.start(*words)
    _, err = process.communicate(b"{}")
    assert process.returncode == 2
    assert b"usage: fairlead-hook" in err


def test_a_home_that_is_relative_lets_nothing_through(workshop: Workshop) -> None:
    process = workshop.start("--home", "here", "claude", moved=False)
    assert (process.communicate(b"{}")[0], process.returncode) == (b"", 2)


def test_it_says_its_build(workshop: Workshop) -> None:
    process = workshop.start("--version", moved=False)
    assert re.fullmatch(rb"fairlead-hook 0\.\S+ (native|pure)\n", process.communicate()[0])


def test_an_answer_that_cannot_be_delivered_blocks(workshop: Workshop, daemons: Daemons) -> None:
    daemons(workshop, answering(Reply(0, b"approved")))
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [workshop.client, "--home", workshop.home, "claude"], input=b"{}", stdout=full, check=False
        )
    assert process.returncode == 2


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_closed_streams_do_no_harm(workshop: Workshop, closed: str) -> None:
    if workshop.runner == "valgrind":
        pytest.skip("valgrind itself cannot run without these streams; the other builds are checked")
    workshop.make_interpreter(Reply(5))
    process = workshop.start("claude")
    process.communicate(b"{}")
    command = f'exec "{workshop.client}" --home "{workshop.home}" claude PreToolUse {closed}'
    assert subprocess.run(["sh", "-c", command], check=False, stdin=subprocess.DEVNULL).returncode == 5


def test_a_client_in_a_virtual_environment_finds_its_interpreter(workshop: Workshop) -> None:
    del workshop.record["interpreter"]
    (workshop.client.parent / "python3").symlink_to(workshop.folder / "interpreter")
    assert workshop.call().stdout == b"cold answer"


def test_a_client_that_is_started_through_a_link_finds_its_record(workshop: Workshop) -> None:
    if workshop.runner:
        pytest.skip(f"{workshop.runner}: it is started under its real name; the other builds are checked")
    workshop.call()
    link = workshop.folder / "elsewhere" / "hook"
    link.parent.mkdir()
    link.symlink_to(workshop.client)
    for name in (str(link), "./hook"):
        words = [name, "--home", workshop.home, "claude", "PreToolUse"]
        found = subprocess.run(words, input=b"{}", capture_output=True, cwd=link.parent, check=False)
        assert found.stdout == b"cold answer"


def test_a_client_beside_the_fairlead_command_finds_its_interpreter(workshop: Workshop) -> None:
    del workshop.record["interpreter"]
    (workshop.client.parent / "fairlead").write_text(f"#!{workshop.folder}/interpreter\n")
    assert workshop.call().stdout == b"cold answer"


def test_a_record_that_others_could_have_written_is_not_read(workshop: Workshop) -> None:
    workshop.call()
    workshop.record_path.chmod(0o666)
    process = subprocess.run(
        [workshop.client, "--home", workshop.home, "claude", "PreToolUse"], input=b"{}", capture_output=True
    )
    assert process.returncode == 2
    assert b"no interpreter is recorded" in process.stderr
