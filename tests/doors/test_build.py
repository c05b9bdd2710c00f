"""What the wheel carries: with a compiler, without one, and how the script finds its interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from client_workshop import ROOT, native_build

build = native_build()


def run(client: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": "/nowhere", "PYTHONPATH": "/evil", "PYTHONHOME": "/evil"}
    return subprocess.run([client, *words], input=b"{}", capture_output=True, env=environment)


def test_with_a_compiler_the_client_is_native(tmp_path: Path) -> None:
    client, native = build.build(tmp_path)
    assert native
    assert client.read_bytes()[:4] == b"\x7fELF"
    assert run(client, "--version").stdout == f"fairlead-hook {build.build_id()} native\n".encode()


def test_without_a_compiler_the_client_is_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nonexistent/cc")
    client, native = build.build(tmp_path)
    assert not native
    assert client.read_text().startswith("#!/bin/sh\n")


def test_a_compiler_can_be_required(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nonexistent/cc")
    monkeypatch.setenv("FAIRLEAD_REQUIRE_NATIVE", "1")
    with pytest.raises(build.CompilerError, match="no compiler"):
        build.build(tmp_path)


def test_a_compiler_that_fails_is_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    assert build.build(tmp_path)[1] is False


def test_a_folder_where_nothing_may_be_run_is_no_reason_for_a_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.run

    def run_but_not_there(words: list[object], **options: object) -> object:
        if str(words[0]).startswith(str(tmp_path)):
            raise PermissionError
        return real(words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(build.subprocess, "run", run_but_not_there)
    assert build.build(tmp_path)[1] is True


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return build.build_pure(tmp_path / "a folder")


def test_the_script_takes_the_interpreter_of_its_record(script: Path) -> None:
    Path(f"{script}.record").write_text(f"home=/\ninterpreter={sys.executable}\n")
    assert run(script, "--version").stdout == f"fairlead-hook {build.build_id()} pure\n".encode()


def test_the_script_takes_the_interpreter_beside_it(script: Path) -> None:
    (script.parent / "python3").symlink_to(sys.executable)
    assert run(script, "--version").returncode == 0


def test_the_script_takes_the_interpreter_of_the_fairlead_command(script: Path) -> None:
    (script.parent / "fairlead").write_text(f"#!{sys.executable}\n")
    assert run(script, "--version").returncode == 0


def test_a_script_without_an_interpreter_lets_nothing_through(script: Path) -> None:
    """Any Python is good enough to say so in the agent's own words."""
    said = run(script, "claude", "PreToolUse")
    any_python = any(os.access(path, os.X_OK) for path in ("/usr/bin/python3", "/usr/local/bin/python3"))
    assert (said.returncode, b'"deny"' in said.stdout) == (2, any_python)
    assert b"fairlead doctor" in said.stderr


def test_the_pure_client_imports_nothing_of_ours_and_nothing_heavy() -> None:
    source = ROOT / "src" / "fairlead" / "doors" / "client.py"
    code = (
        "import sys; before = set(sys.modules)\n"
        f"exec(compile(open({str(source)!r}).read(), 'client', 'exec'), {{'__name__': 'client'}})\n"
        "print(sorted(set(sys.modules) - before))"
    )
    said = subprocess.run([sys.executable, "-IS", "-c", code], capture_output=True, text=True)
    assert said.stdout == "['_socket', 'select']\n"


def test_the_clients_and_the_daemon_speak_the_same_version() -> None:
    from fairlead.doors import client
    from fairlead.doors.daemon import wire
    from fairlead.doors.hook.hook_call import PAYLOAD_BOUND

    header = (ROOT / "native" / "client.h").read_text()
    assert f"WIRE_VERSION = {wire.WIRE_VERSION} " in header
    assert client.WIRE_VERSION == wire.WIRE_VERSION
    assert client.PAYLOAD_LIMIT == PAYLOAD_BOUND


def test_every_agent_and_event_has_a_last_resort_and_a_neutral_answer() -> None:
    rows = list(build.last_resorts())
    agents = {agent for agent, *_ in rows}
    assert {agent for agent, event, *_ in rows if event == ""} == agents
    denials = [answer for _, event, answer, _ in rows if event == ""]
    assert all(code != 0 or out for code, out, _ in denials), "an event without a name may be a gate"
    assert all(code == 0 for *_, (code, _, _) in rows)
