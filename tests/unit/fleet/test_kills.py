"""Processes that are killed while they take a bundle: what was in force is, or what they took; no half."""

import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest

from fairlead.fleet.bundles.store import Store
from fairlead.fleet.refusal import RefusalCode
from fleet_kit import NOW, Kept, bundle, policy, statement

_KILLS = 25
_FILES = {f"hooks/tilt/more/{number}.txt": b"x" * 2000 for number in range(20)}


def files(number: int) -> dict[str, bytes]:
    return {**policy(), **_FILES, "hooks/tilt/number.txt": str(number).encode()}


def in_a_child(work) -> int:
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(70)
    return child


def whole(kept: Kept) -> bool:
    """Every file of what is in force, as a hook call would find it."""
    current = kept.folder / "current"
    number = kept.version
    return (
        kept.store.damage() == ()
        and (current / "hooks/tilt/number.txt").read_bytes() == str(number).encode()
        and all((current / name).read_bytes() == content for name, content in _FILES.items())
    )


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_one_bundle_whole_and_in_force(tmp_path):
    kept = Kept(tmp_path / "fleet")
    assert kept.take_checked(bundle(1, files=files(1))) is None
    begun = time.monotonic()
    assert kept.take_checked(bundle(2, files=files(2))) is None
    longest = time.monotonic() - begun
    chance = random.Random(11)
    killed = 0
    for version in range(3, _KILLS + 3):
        content, before = bundle(version, files=files(version)), kept.version
        child = in_a_child(lambda content=content: kept.take_checked(content))
        time.sleep(chance.uniform(0, longest * 1.2))
        os.kill(child, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])
        assert kept.version in (before, version)
        assert whole(kept)
        assert kept.take(bundle(before)).code in (RefusalCode.OLDER, RefusalCode.FORK)
    assert killed > 3
    assert kept.take_checked(bundle(1000, files=files(1000))) is None
    left = [
        name for name in (*os.listdir(kept.folder), *os.listdir(kept.folder / "bundles")) if "new" in name
    ]
    assert left == []


CALLS = ("os.rename", "os.symlink", "os.fsync", "os.mkdir", "os.open", "os.unlink", "os.listdir", "os.rmdir")


@pytest.mark.slow
def test_a_kill_at_every_single_step_leaves_one_bundle_whole_and_in_force(tmp_path):
    """Not by chance: the process ends itself before the first, the second, the third ... call of the system
    that changes something, until one comes through."""
    step, done = 0, False
    while not done:
        step += 1
        kept = Kept(tmp_path / str(step))
        kept.take(bundle(1))
        kept.take(bundle(2))
        child = in_a_child(lambda kept=kept, step=step: _take_until(kept, step))
        done = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert kept.version in (2, 3)
        assert kept.store.damage() == ()
        assert kept.take(bundle(1)).code is RefusalCode.OLDER
        assert kept.take(bundle(3)) is None
        assert (kept.version, kept.store.damage()) == (3, ())
        assert not any(".new" in path.name for path in kept.folder.rglob("*"))
        assert len(os.listdir(kept.folder / "bundles")) == 2
    assert step > 30


def _take_until(kept: Kept, step: int) -> None:
    left = [step]

    def counted(real):
        def call(*args, **options):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **options)

        return call

    for name in CALLS:
        word = name.partition(".")[2]
        setattr(os, word, counted(getattr(os, word)))
    kept.take(bundle(3))


@pytest.mark.slow
def test_readers_never_see_half_a_bundle_while_it_is_switched(tmp_path):
    """What a call reads through the link it resolved is of one version, however often others switch."""
    kept = Kept(tmp_path / "fleet")
    kept.take(bundle(1, files=files(1)))
    content = [bundle(version, files=files(version)) for version in range(2, 30)]
    child = in_a_child(lambda: [kept.take(each) for each in content])
    seen = set()
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        now = Store(str(kept.folder)).in_force()
        assert now is not None
        number = int(Path(now.folder, "hooks/tilt/number.txt").read_text())
        assert number == now.manifest.version
        seen.add(number)
    assert len(seen) > 3
    assert kept.version == 29


@pytest.mark.slow
def test_two_that_take_at_once_end_with_the_higher_version(tmp_path):
    kept = Kept(tmp_path / "fleet")
    kept.take(bundle(1))
    children = [
        in_a_child(lambda part=part: [kept.take(bundle(version)) for version in range(part, 40, 2)])
        for part in (2, 3)
    ]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert codes == [0, 0]
    assert kept.version == 39
    assert kept.store.damage() == ()


def test_a_kill_while_freshness_is_noted_leaves_the_old_word_or_the_new(tmp_path):
    kept = Kept(tmp_path / "fleet")
    kept.take(bundle(1))
    kept.hear(statement(1, kept.sha256))
    for step in range(1, 12):
        said = statement(1, kept.sha256, at=NOW + step)
        child = in_a_child(lambda said=said, step=step: _hear_until(kept, said, step))
        os.waitpid(child, 0)
        assert kept.store.seen().of("web").at in (NOW + step - 1, NOW + step)
        assert kept.hear(said) is None


def _hear_until(kept: Kept, said, step: int) -> None:
    real, left = os.rename, [step % 3]

    def rename(*args):
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args)

    os.rename = rename
    kept.hear(said)
    sys.exit(0)
