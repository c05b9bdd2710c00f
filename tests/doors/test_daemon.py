"""Clients, interpreter and daemon as they really run."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from installation import Installation, kill, payload, until

from fairlead.doors.daemon import control
from fairlead.doors.daemon.lifecycle import LOCK, LOG, SOCKET
from fairlead.model.verdict import Reply

pytestmark = pytest.mark.slow

DENY = b'"permissionDecision": "deny"'
PROMPT = payload("hello", event="UserPromptSubmit")


def denied(reply: Reply) -> bool:
    return reply.exit_code == 2 and DENY in reply.stdout


def test_the_first_call_is_answered_cold_and_starts_the_daemon_for_the_next(
    installation: Installation,
) -> None:
    assert installation.daemon() is None
    cold = installation.call()
    assert denied(cold)
    until(installation.daemon)
    assert installation.call() == cold
    facts = installation.daemon()
    assert facts is not None
    assert facts["calls"] == 1


def test_an_event_that_informs_is_answered_with_silence_warm_and_cold(installation: Installation) -> None:
    assert installation.call(PROMPT, "claude", "UserPromptSubmit") == Reply()
    installation.warm_up()
    assert installation.call(PROMPT, "claude", "UserPromptSubmit") == Reply()


def test_many_clients_at_once_start_exactly_one_daemon(installation: Installation) -> None:
    with ThreadPoolExecutor(24) as pool:
        replies = list(pool.map(lambda _: installation.call(), range(24)))
    assert all(denied(reply) for reply in replies)
    until(installation.daemon)
    assert len(installation.daemons()) == 1
    assert installation.log().count("started") == 1


def test_every_call_is_in_the_journal_before_its_answer(installation: Installation) -> None:
    for number in range(3):
        installation.call(payload(session=f"s{number}"))
        assert len(installation.records()) == number + 1
    assert len({record["request"] for record in installation.records()}) == 3


def test_a_killed_daemon_is_replaced_by_the_next_call(installation: Installation) -> None:
    first = installation.warm_up()["pid"]
    kill(first)
    until(lambda: first not in installation.daemons())
    assert denied(installation.call())
    until(installation.daemon)
    assert installation.daemons() != [first]
    assert len(installation.daemons()) == 1


def test_a_daemon_whose_socket_was_taken_away_gives_way_to_another(installation: Installation) -> None:
    first = installation.warm_up()["pid"]
    os.unlink(os.path.join(installation.places.run, SOCKET))
    assert denied(installation.call())  # cold
    until(lambda: first not in installation.daemons())
    assert denied(installation.call())
    until(installation.daemon)
    assert len(installation.daemons()) == 1


def test_a_daemon_whose_lock_was_taken_away_gives_way_to_another(installation: Installation) -> None:
    first = installation.warm_up()["pid"]
    os.unlink(os.path.join(installation.places.run, LOCK))
    until(lambda: first not in installation.daemons())
    assert denied(installation.call())
    until(installation.daemon)
    assert len(installation.daemons()) == 1


def test_a_stopped_process_does_not_answer_and_the_call_goes_cold(installation: Installation) -> None:
    pid = installation.warm_up()["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        assert denied(installation.call())
    finally:
        os.kill(pid, signal.SIGCONT)
    assert len(installation.daemons()) == 1


def test_another_build_retires_the_daemon_and_the_call_is_served_by_the_new_code(
    copied: Installation,
) -> None:
    first = copied.warm_up()["pid"]
    package = copied.package / "__init__.py"
    fresh = package.with_suffix(".new")
    fresh.write_text(package.read_text().replace('__version__ = "', '__version__ = "99.'))
    os.replace(fresh, package)  # as an installer does
    assert denied(copied.call())
    until(lambda: (copied.daemon() or {}).get("version", "").startswith("99."))
    until(lambda: first not in copied.daemons())
    assert len(copied.daemons()) == 1


def test_a_changed_module_retires_the_daemon_of_a_developer(copied: Installation) -> None:
    first = copied.warm_up()["pid"]
    with open(copied.package / "model" / "event.py", "a") as module:
        module.write("# changed\n")
    until(lambda: first not in copied.daemons())


def test_an_idle_daemon_leaves(installation: Installation) -> None:
    os.makedirs(installation.places.config)
    Path(installation.places.config, "daemon.conf").write_text("idle_seconds = 1  # for this test\n")
    pid = installation.warm_up()["pid"]
    until(lambda: pid not in installation.daemons())
    assert "idle for 1 s" in installation.log()
    assert not os.path.exists(os.path.join(installation.places.run, SOCKET))


def test_what_the_daemon_leaves_on_disk_is_for_its_user_alone(installation: Installation) -> None:
    installation.warm_up()
    assert stat.S_IMODE(os.stat(installation.places.run).st_mode) == 0o700
    for name in (LOCK, LOG, SOCKET):
        assert stat.S_IMODE(os.stat(os.path.join(installation.places.run, name)).st_mode) & 0o077 == 0


def test_the_daemon_has_an_environment_and_a_folder_of_its_own_and_no_inherited_descriptor(
    installation: Installation,
) -> None:
    """Started by a cold call of an agent that left a pipe open and had secrets in its variables."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    environment = {"PATH": "/usr/bin:/bin", "API_TOKEN": "hunter2", "PYTHONPATH": "/evil", "LD_PRELOAD": ""}
    installation.call(env=environment, pass_fds=(writing,))
    os.close(writing)
    until(installation.daemon)
    (pid,) = installation.daemons()
    process = Path(f"/proc/{pid}")
    names = {entry.split(b"=")[0] for entry in (process / "environ").read_bytes().split(b"\0") if entry}
    assert names == {b"HOME", b"PATH", b"LANG", b"MALLOC_ARENA_MAX"}
    assert os.readlink(process / "cwd") == "/"
    assert os.read(reading, 1) == b""  # end of file: nobody holds the other end any more
    os.close(reading)


def test_no_variable_of_a_caller_reaches_the_log_or_the_journal(installation: Installation) -> None:
    environment = {"PATH": "/usr/bin:/bin", "API_TOKEN": "hunter2-token-value"}
    installation.call(env=environment)
    installation.warm_up()
    installation.call(env=environment)
    installation.call(b"no json {{{ hunter2-token-value"[:8], env=environment)
    for found in Path(installation.home).rglob("*"):
        if found.is_file():
            assert b"hunter2-token-value" not in found.read_bytes(), found


HOSTILE = "open({mark!r}, 'a').write(__name__ + '\\n')\nraise SystemExit(0)\n"


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
def test_nothing_of_a_hostile_project_runs_inside_the_guard(installation: Installation, warm: bool) -> None:
    project = installation.folder / "project"
    mark = installation.folder / "mark"
    for name in (
        "json",
        "os",
        "socket",
        "sitecustomize",
        "usercustomize",
        "yaml",
        "fairlead/__init__",
        "fairlead/__main__",
    ):
        path = project / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HOSTILE.format(mark=str(mark)))
    library = installation.folder / "evil.so"
    source = (
        f"#include <stdio.h>\n__attribute__((constructor)) static void f(void)"
        f'{{ FILE *m = fopen("{mark}", "a"); char n[99] = ""; FILE *c = fopen("/proc/self/comm", "r");'
        f" if (c) {{ fgets(n, 99, c); fclose(c); }} if (m) {{ fputs(n, m); fclose(m); }} }}"
    )
    compiled = subprocess.run(["cc", "-shared", "-fPIC", "-o", library, "-xc", "-"], input=source.encode())
    assert compiled.returncode == 0
    configuration = installation.folder / "openssl.cnf"
    configuration.write_text(
        f"openssl_conf = i\n[i]\nproviders = p\n[p]\nevil = e\n[e]\nmodule = {library}\nactivate = 1\n"
    )
    hostile = {
        "PATH": f"{project}:/usr/bin:/bin",
        "PYTHONPATH": str(project),
        "PYTHONSTARTUP": str(project / "json.py"),
        "PYTHONHOME": "",
        "LD_PRELOAD": str(library),
        "OPENSSL_CONF": str(configuration),
        "HOME": str(project),
    }
    if warm:
        installation.warm_up()
    reply = installation.call(payload(cwd=str(project)), cwd=str(project), env=hostile)
    assert denied(reply)
    until(installation.daemon)
    touched = set(mark.read_text().split()) if mark.exists() else set()
    # The loader puts LD_PRELOAD into the pure client before that can do anything; the native one is static.
    assert touched <= {"fairlead-hook"}
    if installation.client.read_bytes()[:4] == b"\x7fELF":
        assert touched == set()


def test_a_hundred_sessions_at_once_get_their_own_answers(installation: Installation) -> None:
    installation.warm_up()

    def ask(number: int) -> bool:
        session = f"session-{number}"
        if number % 3:
            return denied(installation.call(payload(f"rm -rf /{number}", session=session)))
        sent = payload(f"prompt {number}", session=session, event="UserPromptSubmit")
        return installation.call(sent, "claude", "UserPromptSubmit") == Reply()

    with ThreadPoolExecutor(100) as pool:
        assert all(pool.map(ask, range(100)))
    verdicts = {record["session"]: record["native_event"] for record in installation.records()}
    assert len(verdicts) == 100
    assert Counter(verdicts.values()) == {"PreToolUse": 66, "UserPromptSubmit": 34}
    for record in installation.records():
        number = record["session"].removeprefix("session-")
        assert record["verdict"]["decision"] == ("block" if int(number) % 3 else "continue")


def test_descriptors_that_run_out_send_calls_to_the_cold_path(installation: Installation) -> None:
    pid = installation.warm_up()["pid"]
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 1024))
    assert denied(installation.call())
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (1024, 1024))
    until(installation.daemon)
    assert denied(installation.call())
    assert installation.daemons() == [pid]


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
def test_a_journal_that_cannot_be_written_does_not_change_the_verdict_and_is_said(
    installation: Installation, warm: bool
) -> None:
    """RLIMIT_FSIZE stands for a full disk: both make the write fail after some bytes."""
    installation.call()
    size = os.path.getsize(os.path.join(installation.places.state, "journal", "journal.jsonl"))
    if warm:
        resource.prlimit(installation.warm_up()["pid"], resource.RLIMIT_FSIZE, (size + 10, size + 10))
        reply = installation.call()
    else:
        until(installation.daemon)
        installation.stop()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, size + 10))  # noqa: E731
        reply = installation.call(preexec_fn=limit)
    assert denied(reply)
    assert b"journal" in reply.stderr


def test_status_stop_restart_and_logs(installation: Installation) -> None:
    def fairlead(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "fairlead", "--home", str(installation.home), "daemon", *words]
        return subprocess.run(command, capture_output=True, text=True)

    assert (fairlead("status").returncode, "not running" in fairlead("status").stdout) == (1, True)
    assert "answers" in fairlead("restart").stderr
    assert "running  process" in fairlead("status").stdout
    assert '"running": true' in fairlead("status", "--json").stdout
    assert "has ended" in fairlead("stop").stderr
    assert "was not running" in fairlead("stop").stderr
    assert "leaving: asked to" in fairlead("logs").stdout
    assert installation.daemons() == []


def test_a_daemon_that_has_only_begun_to_start_is_ended_too(installation: Installation) -> None:
    assert control.ensure_daemon(installation.places, str(installation.home))
    assert control.stop(installation.places) is not None
    until(lambda: not installation.daemons())


def test_a_call_in_flight_is_finished_when_the_daemon_is_asked_to_end(installation: Installation) -> None:
    """The old one answers what it has taken, while a new one can already start."""
    hook = installation.folder / "slow.sh"
    hook.write_text("#!/bin/sh\nexec >/dev/null; : >started; sleep 1.5\n")
    hook.chmod(0o755)
    folder = Path(installation.places.config, "hooks", "slow")
    folder.mkdir(parents=True)
    (folder / "hook.meta.yaml").write_text(
        "id: slow\nkind: hook\ncategory: lifecycle\nevent: UserPromptSubmit\nsummary: slow\n"
        f"middleware:\n  - id: slow\n    path: {hook}\n    type: validation\n"
    )
    first = installation.warm_up()["pid"]
    process = installation.start("claude", "UserPromptSubmit")
    assert process.stdin is not None
    process.stdin.write(PROMPT)
    process.stdin.close()
    until(lambda: (installation.daemon() or {}).get("busy", 0) > 0)
    control.stop(installation.places)
    second = installation.warm_up()["pid"]
    assert second != first
    assert process.wait(30) == 0
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stderr.close()
    assert [record["request"] for record in installation.records()] == [installation.records()[0]["request"]]
    until(lambda: installation.daemons() == [second])
