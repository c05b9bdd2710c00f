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
