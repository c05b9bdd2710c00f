"""The module of this system does what the others promise."""

from __future__ import annotations

import os
import pwd
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.platforms import here

linux_alone = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")


def test_a_lock_keeps_others_out_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()
    with path.open() as one, path.open() as other:
        here.lock(one.fileno())
        with pytest.raises(BlockingIOError):
            here.lock(other.fileno(), wait=False)
        with pytest.raises(BlockingIOError):
            here.lock(other.fileno(), shared=True, wait=False)
    with path.open() as other:
        here.lock(other.fileno(), wait=False)


def test_those_that_share_a_lock_keep_out_who_does_not(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()
    with path.open() as one, path.open() as other:
        here.lock(one.fileno(), shared=True)
        here.lock(other.fileno(), shared=True, wait=False)
        with path.open() as third, pytest.raises(BlockingIOError):
            here.lock(third.fileno(), wait=False)


def test_a_copy_of_a_descriptor_stands_above_a_number_and_is_not_inherited() -> None:
    read, write = os.pipe()
    copy = here.copy_above(write, 50)
    assert copy > 50
    assert not os.get_inheritable(copy)
    os.write(copy, b"x")
    assert os.read(read, 1) == b"x"
    for end in (read, write, copy):
        os.close(end)


def test_the_user_is_that_of_the_uid_and_not_of_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere/else")
    monkeypatch.setenv("USER", "somebody")
    assert here.home_of_user() == pwd.getpwuid(os.getuid()).pw_dir
    assert here.name_of_user() == pwd.getpwuid(os.getuid()).pw_name


def test_a_user_without_a_name_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    assert (here.home_of_user(), here.name_of_user()) == ("", "")


def test_a_signal_reaches_all_of_a_group_and_none_that_is_gone() -> None:
    command = ["sh", "-c", "sleep 100 & wait"]
    with subprocess.Popen(command, start_new_session=True) as process:
        here.signal_group(process.pid, signal.SIGKILL)
        assert process.wait(10) == -signal.SIGKILL
    here.signal_group(process.pid, signal.SIGKILL)


def test_the_other_end_of_a_socket_is_known() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert here.peer(ours) == (os.getpid(), os.getuid())


@linux_alone
def test_a_pipe_of_packets_holds_one_write_at_a_time() -> None:
    read, write = here.packet_pipe()
    os.set_blocking(write, False)
    os.write(write, b"one")
    with pytest.raises(BlockingIOError):
        os.write(write, b"two")
    assert os.read(read, 100) == b"one"
    os.close(read)
    os.close(write)


def test_an_ordered_poller_says_who_wrote_first() -> None:
    if not here.EXACT_CAPTURE:
        with pytest.raises(OSError, match="order"):
            here.ordered_poller()
        return
    pipes = [here.packet_pipe() for _ in range(4)]
    poller = here.ordered_poller()
    for read, _ in pipes:
        poller.watch_output(read)
    for _, write in reversed(pipes):
        os.write(write, b"x")
    assert [descriptor for descriptor, _ in poller.ready(1)] == [read for read, _ in reversed(pipes)]
    poller.close()
    for end in (end for pipe in pipes for end in pipe):
        os.close(end)


def test_facts_of_a_process_are_those_that_it_was_started_with() -> None:
    with subprocess.Popen(["sleep", "100"], env={"ODD": "yes"}, start_new_session=True) as process:
        facts = here.facts_of(process.pid)
        while facts is not None and facts.words[:1] != ("sleep",):  # it is still the fork of this one
            facts = here.facts_of(process.pid)
        mark = here.mark_of(process.pid)
        assert process.pid in here.children(os.getpid())
        process.kill()
    assert facts is not None
    assert facts.words == ("sleep", "100")
    assert (facts.parent, facts.group, facts.session) == (os.getpid(), process.pid, process.pid)
    assert (facts.user, facts.started_by) == (os.geteuid(), os.getuid())
    assert mark is not None
    assert mark[1] == os.getpid()
    assert here.mark_of(process.pid) is None
    assert here.facts_of(process.pid) is None


def test_a_process_says_when_it_ends_and_is_told_apart_from_others() -> None:
    with subprocess.Popen(["sleep", "100"]) as process:
        descriptor = here.exit_of(process.pid)
        here.signal_exactly(process.pid, descriptor, signal.SIGTERM)
        assert process.wait(10) == -signal.SIGTERM
        if descriptor is not None:
            with pytest.raises(ProcessLookupError):
                here.signal_exactly(process.pid, descriptor, signal.SIGTERM)
            os.close(descriptor)


def test_a_short_name_leads_into_the_folder(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    folder = here.open_folder(str(deep))
    (deep / "file").write_text("content")
    name = here.short_name(folder, "file")
    assert Path(name).read_text() == "content"
    if sys.platform == "linux":
        assert len(name) < 108
    os.close(folder)


def test_a_link_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(OSError):
        here.open_folder(str(tmp_path / "link"))


def test_a_clone_is_the_same_or_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"content" * 1000)
    with (tmp_path / "source").open("rb") as source, (tmp_path / "target").open("wb") as target:
        made = here.clone(source.fileno(), target.fileno())
    assert (tmp_path / "target").read_bytes() == (b"content" * 1000 if made else b"")


@linux_alone
def test_a_kernel_that_fails_for_another_reason_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fcntl, "ioctl", full)
    with pytest.raises(OSError, match="space"):
        here.clone(0, 1)


def test_own_memory_is_some_megabytes() -> None:
    assert 1 << 20 < here.own_memory() < 1 << 34
