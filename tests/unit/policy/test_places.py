from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from fairlead.errors import FairleadError
from fairlead.policy.places import Places, find_places, make_private, write_private


def test_the_home_is_that_of_the_uid_not_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nowhere")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nowhere")
    home = pwd.getpwuid(os.getuid()).pw_dir
    places = find_places()
    assert places.config == f"{home}/.config/fairlead"
    assert places.state == f"{home}/.local/state/fairlead"
    assert places.share == f"{home}/.local/share/fairlead"
    assert places.run in (f"/run/user/{os.getuid()}/fairlead", f"/tmp/fairlead-{os.getuid()}")
    assert places.system == "/etc/fairlead"


def test_home_moves_everything_but_the_systems_policy() -> None:
    places = find_places("/x/y/")
    assert places == Places("/x/y/config", "/x/y/state", "/x/y/run", "/x/y/share", "/etc/fairlead")
    assert (places.trust, places.off_marker) == ("/x/y/state/trust", "/x/y/state/off")


def test_a_variable_moves_it_outside_hook_mode_only() -> None:
    environment = {"FAIRLEAD_HOME": "/moved"}
    assert find_places(environment=environment, hook_mode=False).config == "/moved/config"
    assert find_places(environment=environment, hook_mode=True) == find_places()
    assert find_places("/given", environment=environment, hook_mode=False).config == "/given/config"


def test_a_private_folder_is_ours_alone(tmp_path: Path) -> None:
    folder = str(tmp_path / "a" / "b")
    make_private(folder)
    assert os.stat(folder).st_mode & 0o777 == 0o700
    os.chmod(folder, 0o755)
    make_private(folder)
    assert os.stat(folder).st_mode & 0o777 == 0o700


def test_a_link_in_place_of_a_private_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    os.symlink(tmp_path / "theirs", tmp_path / "ours")
    with pytest.raises(FairleadError, match="is not a folder of this user"):
        make_private(str(tmp_path / "ours"))


def test_a_private_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = str(tmp_path / "state" / "file")
    write_private(path, b"one")
    write_private(path, b"two")
    assert Path(path).read_bytes() == b"two"
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.listdir(os.path.dirname(path)) == ["file"]
