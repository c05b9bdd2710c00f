from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.errors import PolicyError, TrustError
from fairlead.policy.layering.trust import (
    Trust,
    contents_to_review,
    pin_path,
    read_project,
    trust,
    untrust,
)
from fairlead.policy.places import Places
from fairlead.policy.reload import Watch


def is_trusted(places: Places, root: str) -> bool:
    return read_project(places, root, Watch()).trust is Trust.TRUSTED


@pytest.fixture
def folder(root: str) -> Path:
    folder = Path(root, ".fairlead")
    (folder / "hooks" / "one").mkdir(parents=True)
    (folder / "hooks" / "one" / "hook.meta.yaml").write_text("event: Stop\n")
    (folder / "tool.py").write_text("x = 1\n")
    return folder


def test_trust_pins_every_file_and_untrust_forgets_it(places: Places, root: str, folder: Path) -> None:
    assert not is_trusted(places, root)
    assert trust(places, root) == ("hooks/one/hook.meta.yaml", "tool.py")
    assert is_trusted(places, root)
    assert untrust(places, root)
    assert not is_trusted(places, root)
    assert not untrust(places, root)


def test_the_pin_is_readable_by_its_owner_alone(places: Places, root: str, folder: Path) -> None:
    trust(places, root)
    path = pin_path(places, root)
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(places.trust).st_mode & 0o777 == 0o700


def test_a_project_reached_through_a_link_is_the_same_project(
    places: Places, root: str, folder: Path, tmp_path: Path
) -> None:
    os.symlink(root, tmp_path / "alias")
    trust(places, str(tmp_path / "alias"))
    assert is_trusted(places, root)


def test_every_kind_of_change_is_named(places: Places, root: str, folder: Path) -> None:
    os.symlink("tool.py", folder / "link")
    trust(places, root)
    (folder / "tool.py").write_text("x = 2\n")
    (folder / "new").write_text("")
    (folder / "hooks" / "one" / "hook.meta.yaml").chmod(0o755)
    project = read_project(places, root, Watch())
    assert project.trust is Trust.CHANGED
    assert project.changes == ("hooks/one/hook.meta.yaml", "link", "new", "tool.py")


def test_a_link_that_leads_elsewhere_is_a_change(places: Places, root: str, folder: Path) -> None:
    (folder / "other.py").write_text("x = 1\n")
    os.symlink("tool.py", folder / "link")
    trust(places, root)
    os.unlink(folder / "link")
    os.symlink("other.py", folder / "link")
    assert read_project(places, root, Watch()).changes == ("link",)


def test_what_a_link_leads_to_is_pinned_too(places: Places, root: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("a")
    os.symlink(tmp_path / "outside", folder / "link")
    trust(places, root)
    assert is_trusted(places, root)
    (tmp_path / "outside").write_text("b")
    assert not is_trusted(places, root)


def test_the_bytes_that_were_hashed_are_handed_on(places: Places, root: str, folder: Path) -> None:
    trust(places, root)
    project = read_project(places, root, Watch())
    (folder / "tool.py").write_text("evil")
    assert project.files["tool.py"] == b"x = 1\n"


def test_an_unpinned_project_gives_its_policy_files_alone(places: Places, root: str, folder: Path) -> None:
    project = read_project(places, root, Watch())
    assert (project.trust, list(project.files)) == (Trust.NEVER, ["hooks/one/hook.meta.yaml"])


@pytest.mark.parametrize("pin", [b"", b"{", b"[]", b'{"files": 3}', b'{"files": {}}', b"[" * 5000])
def test_a_pin_that_cannot_be_read_fits_nothing(places: Places, root: str, folder: Path, pin: bytes) -> None:
    trust(places, root)
    Path(pin_path(places, root)).write_bytes(pin)
    assert read_project(places, root, Watch()).trust is Trust.CHANGED


def test_what_was_reviewed_is_what_is_pinned(places: Places, root: str, folder: Path) -> None:
    reviewed = contents_to_review(root)
    (folder / "tool.py").write_text("evil")
    with pytest.raises(TrustError, match="changed while it was reviewed"):
        trust(places, root, reviewed=reviewed)
    assert not is_trusted(places, root)


def test_a_project_without_a_policy_folder_cannot_be_trusted(places: Places, root: str) -> None:
    with pytest.raises(TrustError, match="there is no folder"):
        trust(places, root)


def test_a_pipe_among_the_files_cannot_be_pinned(places: Places, root: str, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(PolicyError, match="neither a file nor a folder"):
        trust(places, root)
