import os
from pathlib import Path

import pytest

from fairlead.policy.off import read_off, switch_off
from fairlead.policy.places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "state").mkdir(mode=0o700)
    return Places(*(str(tmp_path / name) for name in ("config", "state", "run", "share")))


def test_what_a_person_switched_off_is_off(places: Places) -> None:
    switch_off(places, seconds=60, agents=("claude",))
    off = read_off(places)
    assert off is not None
    assert off.covers("claude") and not off.covers("codex")


@pytest.mark.parametrize("form", ["folder", "pipe", "link", "rubbish", "empty", "readable-by-nobody"])
def test_a_marker_that_is_no_plain_file_of_ours_is_no_marker_and_no_fault(places: Places, form: str) -> None:
    marker = Path(places.off_marker)
    if form == "folder":
        marker.mkdir()
    elif form == "pipe":
        os.mkfifo(marker)
    elif form == "link":
        marker.symlink_to(marker)
    else:
        marker.write_bytes({"rubbish": b"\xff\xfe0\n", "empty": b""}.get(form, b"no number\n"))
        marker.chmod(0o000 if form == "readable-by-nobody" else 0o600)
    assert read_off(places) is None
