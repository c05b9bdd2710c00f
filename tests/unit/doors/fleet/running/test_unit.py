"""The unit for systemd: every word of the command as it was meant."""

import pytest

from fairlead.doors.fleet.running.unit import enable_words, unit_text
from fairlead.policy.places import find_places


@pytest.fixture
def places(tmp_path):
    return find_places(str(tmp_path))


@pytest.mark.parametrize(
    ("word", "written"),
    [("a b", '"a b"'), ('a"b', '"a\\"b"'), ("50%", '"50%%"'), ("$HOME", '"$$HOME"'), ("\\", '"\\\\"')],
)
def test_nothing_in_a_word_means_something_to_systemd(places, word, written):
    assert f"ExecStart={written}" in unit_text([word], places, system=False)


def test_the_one_of_root_can_write_nowhere_else(places):
    text = unit_text(["x"], places, system=True)
    assert "ProtectSystem=strict" in text
    assert "ReadWritePaths=/var/lib/fairlead\n" in text
    assert "WantedBy=multi-user.target" in text


def test_it_begins_again_after_a_crash(places):
    assert "Restart=always" in unit_text(["x"], places, system=False)


def test_how_it_is_started():
    assert enable_words(system=False) == "systemctl --user enable --now fairlead-fleet"
    assert enable_words(system=True) == "systemctl enable --now fairlead-fleet"
