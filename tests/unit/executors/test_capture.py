import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from fairlead.executors.capture import capture
from fairlead.model.timeline import Stream

both = pytest.mark.parametrize("exact", [True, False], ids=["packets", "fallback"])


def bash(script, **options):
    return capture(["bash", "-c", script], **options)


@both
def test_output_exit_code_and_duration_are_recorded(exact):
    recording = bash("echo out; echo err >&2; exit 3", exact=exact)
    assert recording.exit_code == 3
    assert recording.timeline.exact is exact
    assert sorted(recording.timeline.rendered()) == ["1: out", "2: err"]
    assert recording.seconds > 0


def test_law_6_the_timeline_is_exact_across_both_streams():
    recording = bash("for i in {1..1000}; do echo o$i; echo e$i >&2; done")
    expected = [line for i in range(1, 1001) for line in (f"1: o{i}", f"2: e{i}")]
    assert recording.timeline.rendered() == expected


RANDOM_WRITES = """
import os, random, sys
random.seed(int(sys.argv[1]))
for number in range(2000):
    os.write(random.choice((1, 2)), b"%d\\n" % number)
"""


@pytest.mark.parametrize("seed", range(5))
def test_law_6_randomly_interleaved_writes_keep_their_order(seed):
    recording = capture([sys.executable, "-c", RANDOM_WRITES, str(seed)])
    assert [int(line.data) for line in recording.timeline.lines] == list(range(2000))


@both
def test_no_line_is_torn_or_lost_when_several_processes_write_at_once(exact):
    writer = "for i in {1..300}; do echo $name-$i; echo $name-$i >&2; done"
    recording = bash(f"for name in a b c; do ( {writer} ) & done; wait", exact=exact)
    expected = sorted(f"{stream}: {name}-{i}" for stream in (1, 2) for name in "abc" for i in range(1, 301))
    assert sorted(recording.timeline.rendered()) == expected


@both
def test_ten_megabytes_of_input_and_output_do_not_deadlock(exact):
    data = os.urandom(1 << 20) * 10
    recording = capture(["cat"], stdin=data, limit=1 << 24, exact=exact)
    assert recording.timeline.data(Stream.STDOUT) == data
    assert not recording.timeline.truncated


def test_a_process_that_does_not_read_its_input_is_not_a_failure():
    recording = capture(["true"], stdin=b"x" * 10_000_000)
    assert (recording.exit_code, recording.error) == (0, "")


@both
def test_output_above_the_limit_is_dropped_and_reported_and_the_writer_does_not_block(exact):
    recording = bash("head -c 3000000 /dev/zero; echo end >&2", limit=1000, exact=exact)
    assert recording.timeline.truncated
    assert recording.timeline.data(Stream.STDOUT) == bytes(750) + b"\n" + bytes(250)
    assert recording.timeline.dropped == 3000000 - 1000
    assert recording.timeline.text(Stream.STDERR) == "end\n"


@both
def test_a_child_left_behind_on_the_pipes_delays_nobody(exact):
    recording = bash("sleep 20 & echo $!", exact=exact, timeout=15)
    os.kill(int(recording.timeline.text(Stream.STDOUT)), signal.SIGKILL)
    assert (recording.exit_code, recording.timed_out) == (0, False)


@both
def test_law_5_a_timeout_ends_the_whole_group_and_keeps_what_was_printed(exact):
    script = "trap '' TERM; (trap '' TERM; sleep 60) & echo $!; echo last words >&2; wait; sleep 60"
    recording = bash(script, timeout=0.3, grace=0.2, exact=exact)
    assert recording.timed_out
    assert recording.signal == signal.SIGKILL
    assert recording.timeline.text(Stream.STDERR) == "last words\n"
    assert _ends(int(recording.timeline.text(Stream.STDOUT)))


def _ends(pid):
    """A killed process is gone as soon as the kernel comes to it."""
    deadline = time.monotonic() + 10
    while _is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.001)
    return not _is_running(pid)


def _is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_process_that_heeds_the_request_to_end_may_say_goodbye():
    recording = bash("trap 'echo bye; exit 9' TERM; echo hi; while :; do sleep 0.05; done", timeout=0.3)
    assert (recording.timed_out, recording.exit_code) == (True, 9)
    assert recording.timeline.text(Stream.STDOUT) == "hi\nbye\n"


def test_exit_by_signal_is_not_an_exit_code():
    recording = bash("kill -9 $$")
    assert (recording.exit_code, recording.signal) == (None, 9)
    assert bash("exit 137").exit_code == 137


def test_what_cannot_be_started_says_why():
    assert "No such file" in capture(["/nowhere/at/all"]).error
    assert "/nowhere" in capture(["true"], directory="/nowhere").error
    assert capture(["a\0b"]).error


def test_a_script_without_an_interpreter_line_is_run_by_the_shell(tmp_path):
    script = tmp_path / "plain"
    script.write_text("echo plain $1\n")
    script.chmod(0o755)
    assert capture([str(script), "word"]).timeline.rendered() == ["1: plain word"]


def test_a_process_gets_its_arguments_environment_and_directory(tmp_path):
    recording = capture(
        ["sh", "-c", 'printf "%s|" "$@"; echo $WORD; pwd', "sh", "a b", "", "*", "--"],
        environment={"WORD": "given", "PATH": os.environ["PATH"]},
        directory=str(tmp_path),
    )
    assert recording.timeline.rendered() == [f"1: {line}" for line in ("a b||*|--|given", str(tmp_path))]


def test_broken_pipes_end_a_process_as_they_do_in_a_shell():
    assert bash("yes | head -1; echo ${PIPESTATUS[0]}").timeline.rendered() == ["1: y", "1: 141"]


def test_output_can_be_seen_while_it_comes():
    seen = []
    bash("echo one; echo two >&2", on_output=lambda stream, data: seen.append((stream, data)))
    assert seen == [(Stream.STDOUT, b"one\n"), (Stream.STDERR, b"two\n")]


def _children():
    """The processes that have this one as their parent, zombies included."""
    found = set()
    for process in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(process.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.add(process.parent.name)
    return found


@both
def test_nothing_is_left_open_and_no_zombie_remains(exact):
    for _ in range(3):
        bash("echo a; echo b >&2", stdin=b"x", exact=exact)
    capture(["/nowhere/at/all"], exact=exact)
    before = len(os.listdir("/proc/self/fd"))
    children = _children()
    for _ in range(20):
        bash("sleep 0.001; echo a", stdin=b"x" * 100_000, exact=exact)
        capture(["/nowhere/at/all"], exact=exact)
    assert len(os.listdir("/proc/self/fd")) == before
    assert _children() <= children


def test_an_interrupted_caller_leaves_no_process_behind():
    started = []

    def interrupt(stream, data):
        started.append(int(data))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bash("echo $$; sleep 60", on_output=interrupt)
    assert _ends(started[0])
