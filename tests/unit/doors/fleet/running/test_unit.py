"""The unit for systemd: every word of the command as it was meant."""

import os
import shutil
import subprocess

import pytest

from fairlead.doors.fleet.running.unit import NAME, enable_words, unit_text
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


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="NO systemd-analyze HERE: units are not checked"
)
@pytest.mark.parametrize("system", [True, False])
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path, places, system):
    unit = tmp_path / NAME
    unit.write_text(unit_text(["/bin/true", "a b$c%d"], places, system=system))
    words = ["systemd-analyze", "verify", "--man=no", *([] if system else ["--user"]), str(unit)]
    surroundings = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=surroundings)
    assert (done.returncode, done.stderr) == (0, "")
