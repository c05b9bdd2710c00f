"""The off-marker, read by the daemon and the cold path; the clients' own reading is in tests/doors."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from fairlead.errors import FairleadError, TrustError
from fairlead.policy.human import has_passphrase, require_human, set_passphrase
from fairlead.policy.off import Off, ignored_marker, read_off, switch_off, switch_on
from fairlead.policy.places import Places
from fairlead.policy.record import change_record, read_record, seal
from tests.unit.policy.test_human import FakeTerminal

PASSPHRASE = "correct horse"


def forge(places: Places, text: str = "0\n") -> Path:
    marker = Path(places.off_marker)
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.write_text(text)
    marker.chmod(0o600)
    return marker


def test_without_a_passphrase_the_marker_alone_counts(places: Places) -> None:
    assert read_off(places) is None and ignored_marker(places) == ""
    assert switch_off(places, seconds=None, agents=()) == read_off(places) == Off()
    assert not os.path.exists(places.record)
    assert switch_on(places) and read_off(places) is None


def test_with_a_passphrase_a_forged_marker_is_ignored_and_reported(places: Places) -> None:
    set_passphrase(places, PASSPHRASE)
    forge(places)
    assert read_off(places) is None
    assert "was not written by `fairlead off`" in ignored_marker(places)


def test_with_a_passphrase_the_record_attests_the_marker_until_it_is_on_again(
    places: Places,
) -> None:
    set_passphrase(places, PASSPHRASE)
    off = switch_off(places, seconds=60, agents=("claude", "codex"))
    assert read_off(places) == off and ignored_marker(places) == ""
    kept = Path(places.off_marker).read_text()
    forge(places, kept.replace(str(off.until), str(off.until + 9999)))
    assert read_off(places) is None, "an edited marker"
    forge(places, kept.replace("codex\n", ""))
    assert read_off(places) is None, "a marker for other agents"
    forge(places, kept)
    assert read_off(places) == off
    assert switch_on(places)
    forge(places, kept)
    assert read_off(places) is None, "a marker that comes back"
    assert "off" not in read_record(places)


def test_an_attested_marker_runs_out_like_any_other(places: Places) -> None:
    set_passphrase(places, PASSPHRASE)
    off = switch_off(places, seconds=60, agents=())
    assert read_off(places, now=off.until - 1) == off
    assert read_off(places, now=off.until) is None
    assert ignored_marker(places) == ""


def test_a_passphrase_that_is_set_later_ends_what_was_switched_off_without_it(places: Places) -> None:
    switch_off(places, seconds=None, agents=())
    set_passphrase(places, PASSPHRASE)
    assert read_off(places) is None
    assert ignored_marker(places)
    assert not switch_on(places)
    assert ignored_marker(places) == ""


def test_a_passphrase_from_before_there_were_seals_is_sealed_when_it_is_given(places: Places) -> None:
    set_passphrase(places, PASSPHRASE)
    os.unlink(places.record)
    forge(places)
    assert read_off(places) is None
    require_human(places, "x", yes=True, terminal=FakeTerminal(PASSPHRASE))
    assert read_record(places)["sealed"]


def test_a_passphrase_that_was_put_in_the_place_of_another_proves_nothing(places: Places) -> None:
    set_passphrase(places, PASSPHRASE)
    sealed = read_record(places)
    set_passphrase(places, "chosen by an agent")
    change_record(places, sealed)
    for given in (PASSPHRASE, "chosen by an agent"):
        with pytest.raises(TrustError, match="not the one that was set"):
            require_human(places, "x", yes=True, terminal=FakeTerminal(given))
    seal(places)
    assert read_record(places) == sealed, "a seal is not taken over"


def test_a_passphrase_that_is_gone_is_still_needed(places: Places) -> None:
    set_passphrase(places, PASSPHRASE)
    os.unlink(places.passphrase)
    assert has_passphrase(places)
    forge(places)
    assert read_off(places) is None
    with pytest.raises(TrustError, match="cannot be checked") as refusal:
        require_human(places, "x", yes=True, terminal=FakeTerminal(PASSPHRASE))
    assert places.record in refusal.value.hint


def test_another_passphrase_replaces_the_seal(places: Places) -> None:
    set_passphrase(places, PASSPHRASE)
    set_passphrase(places, "another horse")
    require_human(places, "x", yes=True, terminal=FakeTerminal("another horse"))


def test_what_the_record_says_beside_the_seal_stays(places: Places) -> None:
    change_record(places, {"interpreter": "/usr/bin/python3", "timeout.claude": "5"})
    set_passphrase(places, PASSPHRASE)
    switch_off(places, seconds=None, agents=("claude",))
    assert read_record(places)["off"] == "0 claude"
    switch_on(places)
    kept = read_record(places)
    assert list(kept) == ["interpreter", "timeout.claude", "sealed"]
    assert os.stat(places.record).st_mode & 0o777 == 0o600


def test_what_is_no_file_of_ours_switches_nothing_off_and_is_reported(places: Places) -> None:
    marker = forge(places)
    marker.chmod(0o622)
    assert read_off(places) is None and "nobody else can write" in ignored_marker(places)
    marker.unlink()
    marker.symlink_to(marker.with_name("elsewhere"))
    marker.with_name("elsewhere").write_text("0\n")
    assert read_off(places) is None and ignored_marker(places)
    marker.unlink()
    os.mkfifo(marker, 0o600)
    assert read_off(places) is None and ignored_marker(places)
    assert not switch_on(places)
    assert not os.path.lexists(marker)


def test_a_folder_in_the_place_of_the_marker_is_named_by_both_commands(places: Places) -> None:
    os.makedirs(places.off_marker)
    assert read_off(places) is None
    with pytest.raises(FairleadError, match="is a folder"):
        switch_off(places, seconds=None, agents=())
    with pytest.raises(FairleadError, match="is a folder"):
        switch_on(places)
    assert read_off(places) is None


@pytest.mark.parametrize("text", ["", "yes\n", "-1\n", "1000000000000000\n", "9" * 4000, "\0", "0\0\n"])
def test_a_marker_that_does_not_say_when_it_ends_does_not_count(places: Places, text: str) -> None:
    forge(places, text)
    assert read_off(places) is None
    assert "does not say when it ends" in ignored_marker(places)


def test_the_end_of_time_has_words(places: Places) -> None:
    forge(places, "999999999999999\n")
    off = read_off(places)
    assert off is not None and off.words() == "for every agent until it is switched on"
    assert "until 2" in Off(int(time.time()) + 60).words()
