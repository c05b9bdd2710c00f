import os
from pathlib import Path

import pytest

from fairlead.errors import SettingsError
from fairlead.settings import files
from fairlead.settings.change import JsonEntries, OwnFile
from fairlead.settings.formats.json_edit import Item
from fairlead.settings.ledger import Ledger

ENTRY = {"command": "/x/fairlead-hook cursor stop"}


def change(path: Path) -> JsonEntries:
    return JsonEntries(str(path), (Item(("hooks", "stop"), ENTRY),))


def ledger(folder: Path) -> Ledger:
    return Ledger(str(folder / "state" / "installed.json"))


def test_a_linked_settings_file_is_edited_where_it_really_is(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.json", tmp_path / "settings.json"
    real.write_text("{}")
    link.symlink_to(real)
    ledger(tmp_path).install(change(link), agent="cursor", scope="user")
    assert link.is_symlink()
    assert "fairlead-hook" in real.read_text()
    ledger(tmp_path).uninstall(str(link))
    assert link.is_symlink()
    assert real.read_text() == "{}"


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}")
    path.chmod(0o640)
    ledger(tmp_path).install(change(path), agent="cursor", scope="user")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_change_by_somebody_else_in_between_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theirs": 1}')
    with pytest.raises(SettingsError, match="changed by somebody else"):
        files.replace(str(path), b"{}", b"ours")
    assert path.read_text() == '{"theirs": 1}'
    assert os.listdir(tmp_path) == ["settings.json"]


def test_what_others_changed_after_install_survives_uninstall(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  "a": 1\n}\n')
    ledger(tmp_path).install(change(path), agent="cursor", scope="user")
    path.write_text(path.read_text().replace('"a": 1', '"a": 2,\n  "b": 3'))
    assert ledger(tmp_path).touched(str(path))
    ledger(tmp_path).uninstall(str(path))
    assert path.read_text() == '{\n  "a": 2,\n  "b": 3\n}\n'


def test_a_place_where_nothing_can_be_made_is_named(tmp_path: Path) -> None:
    path = tmp_path / "not-a-folder"
    path.write_text("")
    with pytest.raises(SettingsError, match=r"cannot be read|none can be made"):
        ledger(tmp_path).install(change(path / "settings.json"), agent="cursor", scope="user")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"a"', "1:5: a : belongs here"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b" " * (files.LIMIT + 1), "more than"),
    ],
)
def test_a_broken_or_huge_file_is_left_alone(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=words):
        ledger(tmp_path).install(change(path), agent="cursor", scope="user")
    assert path.read_bytes() == content


def test_a_pipe_in_the_place_of_a_settings_file_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    os.mkfifo(path)
    with pytest.raises(SettingsError, match="is not a file"):
        files.read(str(path))
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(SettingsError, match=r"is not a file|cannot be read"):
        files.read(str(tmp_path / "folder.json"))


def test_somebody_elses_file_of_our_name_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "PreToolUse"
    path.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(SettingsError, match="is there and is not ours"):
        ledger(tmp_path).install(OwnFile(str(path), b"#fairlead-hook"), agent="cline", scope="user")
    assert path.read_text() == "#!/bin/sh\nexit 0\n"


def test_folders_that_we_made_go_with_the_last_file_in_them(tmp_path: Path) -> None:
    paths = [tmp_path / "Hooks" / name for name in ("One", "Two")]
    for path in paths:
        ledger(tmp_path).install(OwnFile(str(path), b"#fairlead-hook"), agent="cline", scope="user")
    for path in paths:
        ledger(tmp_path).uninstall(str(path))
    assert not (tmp_path / "Hooks").exists()


def test_a_newer_entry_of_ours_replaces_the_older_and_uninstall_still_gives_the_first_bytes_back(
    tmp_path: Path,
) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"a":1}')
    ledger(tmp_path).install(change(path), agent="cursor", scope="user")
    newer = JsonEntries(str(path), (Item(("hooks", "stop"), {**ENTRY, "timeout": 9}),))
    ledger(tmp_path).install(newer, agent="cursor", scope="user")
    assert path.read_text().count("fairlead-hook") == 1
    ledger(tmp_path).uninstall(str(path))
    assert path.read_text() == '{"a":1}'


def test_an_entry_of_ours_without_a_ledger_is_taken_out_by_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  "a": 1\n}\n')
    ledger(tmp_path).install(change(path), agent="cursor", scope="user")
    (tmp_path / "state" / "installed.json").unlink()
    ledger(tmp_path).install(change(path), agent="cursor", scope="user")
    ledger(tmp_path).uninstall(str(path))
    assert path.read_text() == '{\n  "a": 1\n}\n'
