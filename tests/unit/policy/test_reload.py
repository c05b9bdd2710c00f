from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.policy.reload import Signature, Watch


@pytest.mark.usefixtures("settled")
def test_nothing_watched_never_changes() -> None:
    assert not Signature().changed()
    assert not Watch().signature().changed()


@pytest.mark.usefixtures("settled")
def test_what_was_absent_and_appears_is_a_change(tmp_path: Path) -> None:
    watch = Watch()
    watch.add(str(tmp_path / "later"))
    signature = watch.signature()
    assert not signature.changed()
    (tmp_path / "later").write_text("")
    assert signature.changed()


@pytest.mark.usefixtures("settled")
def test_a_link_to_nowhere_that_appears_is_a_change(tmp_path: Path) -> None:
    watch = Watch()
    watch.add(str(tmp_path / "later"))
    signature = watch.signature()
    assert not signature.changed()
    (tmp_path / "later").symlink_to(tmp_path / "nowhere")
    assert signature.changed()


def test_a_new_name_in_a_watched_folder_is_a_change(tmp_path: Path) -> None:
    watch = Watch()
    watch.add(str(tmp_path))
    signature = watch.signature()
    (tmp_path / "new").write_text("")
    assert signature.changed()


@pytest.mark.usefixtures("settled")
def test_what_a_link_leads_to_is_watched(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("a")
    os.symlink(tmp_path / "target", tmp_path / "link")
    watch = Watch()
    watch.add(str(tmp_path / "link"))
    signature = watch.signature()
    (tmp_path / "target").write_text("longer")
    assert signature.changed()


def test_law_11_the_default_layout_is_checked_with_a_handful_of_stat_calls(load: object) -> None:
    policy = load()  # type: ignore[operator]
    assert len(policy.signature.marks) <= 8


@pytest.mark.usefixtures("settled")
def test_names_below_a_folder_that_is_absent_are_asked_for_once(tmp_path: Path) -> None:
    watch = Watch()
    for name in ("a", "b/c"):
        watch.add(str(tmp_path / "absent" / name))
    assert [path for path, _ in watch.signature().marks] == [str(tmp_path / "absent")]


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("there", [(), ("one",), ("one", "two")])
def test_a_name_that_appears_with_its_folders_is_a_change(tmp_path: Path, there: tuple[str, ...]) -> None:
    tmp_path.joinpath(*there).mkdir(parents=True, exist_ok=True)
    watch = Watch()
    watch.add(str(tmp_path / "one" / "two" / "later"))
    signature = watch.signature()
    assert not signature.changed()
    (tmp_path / "one" / "two").mkdir(parents=True, exist_ok=True)
    (tmp_path / "one" / "two" / "later").write_text("")
    assert signature.changed()


@pytest.mark.usefixtures("settled")
def test_what_appears_behind_a_link_to_nowhere_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    watch = Watch()
    watch.add(str(tmp_path / "link" / "later"))
    signature = watch.signature()
    assert not signature.changed()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "later").write_text("")
    assert signature.changed()


@pytest.mark.usefixtures("settled")
def test_a_relative_name_that_appears_is_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    watch = Watch()
    watch.add("absent/later")
    signature = watch.signature()
    assert not signature.changed()
    (tmp_path / "absent").mkdir()
    assert signature.changed()
