"""The door as a process between a client and a server: bytes, signals, ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress

import pytest
from installation import until

from mcp_door import PATIENCE, SERVER, Door

pytestmark = pytest.mark.slow


@pytest.fixture
def door(tmp_path):
    with Door(tmp_path) as door:
        yield door


def gone(pid):
    with suppress(OSError), open(f"/proc/{pid}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    return True


def test_a_session_from_its_opening_to_its_end(door):
    assert door.open()["result"]["serverInfo"]["name"] == "small"
    assert len(door.ask("tools/list")["result"]["tools"]) > 3
    assert json.loads(door.call("echo", a=1)) == {"a": 1}
    assert door.close() == 7


def test_the_exit_code_is_the_servers(door):
    door.send(id=1, method="tools/call", params={"name": "exit", "arguments": {"code": 23}})
    assert door.process.wait(PATIENCE) == 23


def test_a_killed_server_ends_the_door_as_shells_say_it(door):
    door.send(id=1, method="tools/call", params={"name": "die"})
    assert door.process.wait(PATIENCE) == 128 + signal.SIGKILL


@pytest.mark.parametrize("size", [1 << 20, 16 << 20, 40 << 20])
def test_large_results_arrive_whole(door, size):
    assert door.call("big", size=size) == "x" * size


def test_a_large_argument_arrives_whole(door):
    door.send(id=1, method="tools/call", params={"name": "echo", "arguments": {"a": "y" * (3 << 20)}})
    assert json.loads(door.read()["result"]["content"][0]["text"]) == {"a": "y" * (3 << 20)}


def test_a_line_that_nobody_can_judge_is_answered_for_the_server(door):
    answer = door.ask("tools/call", name="big", arguments={"size": 65 << 20})
    assert "too long" in answer["error"]["message"]
    assert json.loads(door.call("echo", a=1)) == {"a": 1}


def test_banners_and_junk_of_the_server_do_not_reach_the_client(door):
    assert json.loads(door.call("noise", a=1)) == {"a": 1}


def test_junk_of_the_client_is_answered_and_the_session_goes_on(door):
    door.send_line(b"\xff\n[]\n\n")
    assert [door.read()["error"]["code"] for _ in range(3)] == [-32700, -32600, -32700]
    assert json.loads(door.call("echo", a=1)) == {"a": 1}


def test_what_the_client_said_before_it_closed_is_answered(tmp_path):
    lines = b"".join(
        json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "echo"}}).encode()
        + b"\n"
        for id in range(3)
    )
    with Door(tmp_path) as door:
        out, _ = door.process.communicate(lines.rstrip(b"\n"), PATIENCE)
    assert [json.loads(line)["id"] for line in out.splitlines()] == [0, 1, 2]


def test_stderr_of_the_server_is_the_clients(door):
    door.call("noise")
    door.close()
    assert b"a word on stderr" in door.process.stderr.read()


def test_the_server_gets_the_least_environment(tmp_path):
    environment = {**os.environ, "AWS_SECRET_ACCESS_KEY": "s", "GIVEN": "g", "PYTHONPATH": "."}
    with Door(tmp_path, "--env", "GIVEN", env=environment) as door:
        seen = json.loads(door.call("env"))
    assert seen["GIVEN"] == "g"
    assert not {"AWS_SECRET_ACCESS_KEY", "PYTHONPATH"} & set(seen)


def test_the_server_is_in_the_group_of_the_door_so_that_a_killed_group_takes_both(tmp_path):
    with Door(tmp_path, start_new_session=True) as door:
        pid, group, parent = json.loads(door.call("group"))
        assert (group, parent) == (os.getpgid(door.process.pid), door.process.pid)
        os.killpg(group, signal.SIGKILL)
        door.process.wait(PATIENCE)
        until(lambda: gone(pid))


def test_a_killed_door_leaves_no_server(door):
    pid, _, _ = json.loads(door.call("group"))
    door.process.kill()
    until(lambda: gone(pid))


def test_a_killed_client_leaves_neither_door_nor_server(tmp_path):
    door = [sys.executable, "-m", "fairlead", "--home", str(tmp_path), "mcp", "--", sys.executable, SERVER]
    script = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen({door!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        'p.stdin.write(b\'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"group"}}\\n\')\n'
        "p.stdin.flush()\n"
        "print(p.pid, p.stdout.readline().decode(), flush=True)\n"
        "time.sleep(600)\n"
    )
    client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    number, _, answer = client.stdout.readline().decode().partition(" ")
    server = json.loads(json.loads(answer)["result"]["content"][0]["text"])[0]
    client.kill()
    client.communicate()
    until(lambda: gone(int(number)) and gone(server))


def test_a_term_reaches_the_server_and_its_code_comes_back(tmp_path):
    with Door(tmp_path, server=(sys.executable, SERVER, "--tell-term")) as door:
        door.call("echo")
        door.process.terminate()
        assert door.process.wait(PATIENCE) == 42


def test_a_server_that_does_not_end_is_told_and_then_killed(tmp_path):
    with Door(tmp_path, "--grace", "0.2", server=(sys.executable, SERVER, "--stubborn")) as door:
        door.call("echo")
        assert door.close() == 128 + signal.SIGKILL


def test_a_runner_that_is_killed_takes_its_server_with_it(tmp_path):
    runner = ("/bin/sh", "-c", f"trap '' TERM; {sys.executable} {SERVER} --stubborn; true")
    with Door(tmp_path, "--grace", "0.2", server=runner) as door:
        pid, _, _ = json.loads(door.call("group"))
        door.close()
        until(lambda: gone(pid))


def test_a_server_that_ended_is_not_waited_for_because_a_child_keeps_its_stdout(tmp_path):
    runner = ("/bin/sh", "-c", "sleep 600 & exit 5")
    with Door(tmp_path, "--grace", "0.2", server=runner) as door:
        assert door.process.wait(PATIENCE) == 5
        listed = subprocess.run(["ps", "-o", "pid=,args="], capture_output=True, text=True).stdout
        for line in listed.splitlines():
            if line.endswith("sleep 600"):
                os.kill(int(line.split()[0]), signal.SIGKILL)


def test_a_client_may_speak_through_a_socket(tmp_path):
    ours, theirs = socket.socketpair()
    with ours, theirs, Door(tmp_path, stdin=theirs, stdout=theirs) as door:
        theirs.close()
        params = {"name": "big", "arguments": {"size": 3 << 20}}
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        ours.sendall(json.dumps(request).encode() + b"\n")
        with ours.makefile("rb") as answers:
            answer = json.loads(answers.readline())
        assert answer["result"]["content"][0]["text"] == "x" * (3 << 20)
        ours.shutdown(socket.SHUT_WR)
        assert door.process.wait(PATIENCE) == 7


def test_the_flags_of_the_streams_that_a_client_shares_are_left_alone(tmp_path):
    read, write = os.pipe()
    with Door(tmp_path, stdout=write) as door:
        door.send(id=1, method="ping")
        assert os.read(read, 1000)
        assert os.get_blocking(write)
        os.close(write)
        door.close()
    os.close(read)


@pytest.mark.parametrize(("command", "code"), [("no-such-program", 127), (SERVER, 126)])
def test_a_server_that_cannot_be_started_is_told_as_shells_tell_it(tmp_path, command, code):
    with Door(tmp_path, server=(command,)) as door:
        _, told = door.process.communicate(timeout=PATIENCE)
        assert door.process.returncode == code
        assert b"hint" in told


def test_the_environment_is_shown_by_name_and_never_by_value(tmp_path):
    command = [sys.executable, "-m", "fairlead", "mcp", "env", "--env", "TOKEN", "--env", "NOT_THERE"]
    environment = {"LC_CTYPE": "C.UTF-8", "PATH": os.environ["PATH"], "TOKEN": "value-t", "OTHER": "value-o"}
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert "given     LC_CTYPE PATH TOKEN" in shown
    assert "OTHER" in shown
    assert "NOT_THERE" in shown
    assert "value" not in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nonsense", "--", "true"], "--nonsense"),
        (["--grace", "long", "--", "true"], "long"),
        (["--name", "x", "--"], "no server"),
    ],
)
def test_a_wrong_command_line_ends_with_64_and_says_what_is_wrong(words, said):
    command = [sys.executable, "-m", "fairlead", "mcp", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 64
    assert said in done.stderr
