"""What macOS would say, told by fakes: nobody has run this on the system itself."""

from __future__ import annotations

import os
import struct

import pytest

from fairlead.platforms import linux, macos

PS = {
    "ppid=,uid=,ruid=,pgid=,tpgid=,tty=": "  401  501  501  733  733 ttys003\n",
    "command=": "node /usr/local/bin/claude --continue\n",
    "comm=": "/usr/local/bin/node\n",
    "ppid=,lstart=": "  401 Thu Nov 19 13:05:09 2026\n",
    "rss=": "  20480\n",
}


class FakeSocket:
    def __init__(self, user: int, process: int, version: int = 0) -> None:
        credentials = struct.pack("2Ih16I", version, user, 1, 20, *[0] * 15)
        self._options = {(0, 1): credentials, (0, 2): struct.pack("i", process)}

    def getsockopt(self, level: int, option: int, size: int) -> bytes:
        assert len(self._options[level, option]) == size
        return self._options[level, option]


@pytest.fixture(autouse=True)
def system(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*words: str) -> str:
        if words[0] == "/usr/bin/pgrep":
            return "734\n735\n"
        assert words[:2] == ("/bin/ps", "-o")
        return PS[words[2]] if words[4] != "999" else ""

    monkeypatch.setattr(macos, "_run", run)


def test_the_other_end_of_a_socket_is_known() -> None:
    assert macos.peer(FakeSocket(501, 733)) == (733, 501)


def test_a_kernel_that_describes_callers_otherwise_is_not_believed() -> None:
    with pytest.raises(OSError, match="another way"):
        macos.peer(FakeSocket(501, 733, version=1))


def test_facts_of_a_process_come_from_ps() -> None:
    facts = macos.facts_of(734)
    assert facts is not None
    assert (facts.parent, facts.user, facts.started_by, facts.group, facts.foreground) == (
        401,
        501,
        501,
        733,
        733,
    )
    assert facts.words == ("node", "/usr/local/bin/claude", "--continue")
    assert facts.program == "/usr/local/bin/node"
    assert facts.terminal


def test_a_process_that_is_gone_has_no_facts() -> None:
    assert macos.facts_of(999) is None
    assert macos.mark_of(999) is None


def test_a_process_is_told_apart_by_the_moment_when_it_began() -> None:
    assert macos.mark_of(734) == ("734:Thu Nov 19 13:05:09 2026", 401)


def test_children_and_memory_are_asked_for() -> None:
    assert macos.children(733) == [734, 735]
    assert macos.own_memory() == 20 << 20


def test_what_the_system_lacks_is_said_and_not_guessed() -> None:
    assert not macos.EXACT_CAPTURE
    assert not macos.HAS_DAEMON
    assert macos.clone(0, 1) is False
    assert macos.exit_of(os.getpid()) is None
    for missing in (macos.packet_pipe, macos.ordered_poller):
        with pytest.raises(OSError, match=r"order|apart"):
            missing()


def test_both_systems_have_the_same_functions() -> None:
    def names(module: object) -> set[str]:
        own = {name for name in vars(module) if not name.startswith("_")}
        return {name for name in own if callable(getattr(module, name)) or name.isupper()}

    assert names(linux) ^ names(macos) <= {"suppress"}
