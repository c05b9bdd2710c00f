"""Settings of a whole machine: written so that agents take them, and given back to the last byte."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.dialects.managed.changes import managed_changes, possible_locks
from fairlead.dialects.managed.forms import MANAGED
from fairlead.dialects.setup.site import Client
from fairlead.errors import SettingsError
from fairlead.settings import system_files
from fairlead.settings.change import Change, JsonEntries, applied
from fairlead.settings.formats.json_edit import Forced, Included, with_entries, without_member
from fairlead.settings.formats.toml_values import with_value, without_value
from fairlead.settings.system_ledger import SystemLedger

ME = os.getuid()
CLIENT = Client("/opt/fairlead/bin/fairlead-hook", told="gone")
ORGANISATIONS: dict[str, str] = {
    "claude": '{\n  "permissions": {"deny": ["WebFetch"]},\n  "hooks": {"PreToolUse": []}\n}\n',
    "codex": '# ours\nmodel = "x"\n\n[features]\nhooks = false # no\n\n[tools]\nweb = true\n',
    "gemini": '{"hooksConfig": {"enabled": false, "notifications": true}, "ui": {}}\n',
    "qwen": '{\n\t"disableAllHooks": true,\n\t"advanced": {"excludedEnvVars": ["OURS", "DEBUG"]}\n}',
    "opencode": '{\n  // ours\n  "plugin": ["file:///opt/other.js"],\n}\n',
}


def moved(change: Change, folder: Path) -> Change:
    return change.replace(path=f"{folder}{change.path}")


def changes(agent: str, folder: Path, *, only: bool = False) -> list[Change]:
    made = managed_changes(agent, CLIENT, plugins="/opt/fairlead/plugins", only=only)
    return [moved(change, folder) for change in made]


def ledger(folder: Path) -> SystemLedger:
    return SystemLedger(str(folder / "ledger.json"), owner=ME)


def install(agent: str, folder: Path, *, only: bool = False) -> list[bool]:
    locks = possible_locks(agent)
    made = changes(agent, folder, only=only)
    return [ledger(folder).install(change, agent=agent, forced=locks) for change in made]


def uninstall(agent: str, folder: Path) -> None:
    for path in list(ledger(folder).entries):
        ledger(folder).uninstall(path, forced=possible_locks(agent))


def managed_file(agent: str, folder: Path) -> Path:
    return Path(f"{folder}{MANAGED[agent].path}")


def existing(agent: str, folder: Path, text: str) -> Path:
    file = managed_file(agent, folder)
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "ledger.json"]
    return {str(path): (path.read_bytes(), path.stat().st_mode) for path in files}


@pytest.mark.parametrize("agent", MANAGED)
def test_a_machine_without_any_is_as_it_was_afterwards(tmp_path: Path, agent: str) -> None:
    assert all(install(agent, tmp_path))
    assert not any(install(agent, tmp_path)), "a second time changes nothing"
    uninstall(agent, tmp_path)
    assert everything(tmp_path) == {}
    assert not (tmp_path / "etc").exists(), "not even a folder is left"


@pytest.mark.parametrize("agent", ORGANISATIONS)
@pytest.mark.parametrize("only", [False, True])
def test_what_an_organisation_had_comes_back_byte_for_byte_with_its_mode(
    tmp_path: Path, agent: str, only: bool
) -> None:
    existing(agent, tmp_path, ORGANISATIONS[agent]).chmod(0o640)
    before = everything(tmp_path)
    install(agent, tmp_path, only=only)
    assert managed_file(agent, tmp_path).stat().st_mode & 0o777 == 0o644
    install(agent, tmp_path)
    uninstall(agent, tmp_path)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "qwen"])
def test_the_keys_of_an_organisation_stay_and_every_lock_is_set(tmp_path: Path, agent: str) -> None:
    file = existing(agent, tmp_path, ORGANISATIONS[agent])
    read = tomllib.loads if agent == "codex" else json.loads
    before = read(file.read_text())
    install(agent, tmp_path, only=True)
    after = read(file.read_text())
    for lock in possible_locks(agent):
        value = after
        for key in lock.pointer:
            value = value[key]
        if isinstance(lock, Included):
            assert set(lock.texts) <= set(value)
        else:
            assert value == lock.value
    assert "OURS" in after["advanced"]["excludedEnvVars"] if agent == "qwen" else True
    touched = {"hooks", *(lock.pointer[0] for lock in possible_locks(agent))}
    assert {key: value for key, value in before.items() if key not in touched}.items() <= after.items()
    assert "fairlead-hook" in json.dumps(after["hooks"])


@pytest.mark.parametrize("agent", ["codex", "gemini", "qwen"])
def test_from_a_file_that_was_changed_since_only_what_is_ours_goes(tmp_path: Path, agent: str) -> None:
    file = existing(agent, tmp_path, ORGANISATIONS[agent])
    install(agent, tmp_path, only=True)
    text = file.read_text()
    file.write_text("# later\n" + text if agent == "codex" else text.replace("{", '{"later": 1, ', 1))
    uninstall(agent, tmp_path)
    assert "later" in file.read_text()
    left = (tomllib.loads if agent == "codex" else json.loads)(file.read_text())
    left.pop("later", None)
    wanted = (tomllib.loads if agent == "codex" else json.loads)(ORGANISATIONS[agent])
    assert left == wanted


def test_what_was_managed_only_is_no_longer_after_an_ordinary_install(tmp_path: Path) -> None:
    install("claude", tmp_path, only=True)
    assert "allowManagedHooksOnly" in managed_file("claude", tmp_path).read_text()
    install("claude", tmp_path)
    assert "allowManagedHooksOnly" not in managed_file("claude", tmp_path).read_text()


def test_wrong_modes_are_mended_by_a_second_install(tmp_path: Path) -> None:
    install("copilot", tmp_path)
    file = managed_file("copilot", tmp_path)
    for mode in (0o600, 0o666):
        file.chmod(mode)
        assert "has mode" in system_files.fault(str(file), owner=ME)
        install("copilot", tmp_path)
        assert system_files.fault(str(file), owner=ME) == ""


def test_a_link_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("{}")
    file = managed_file("claude", tmp_path)
    file.parent.mkdir(parents=True)
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SettingsError, match="is a link"):
        install("claude", tmp_path)
    assert (tmp_path / "elsewhere").read_text() == "{}"
    assert "no plain file" in system_files.fault(str(file), owner=ME)


def test_a_folder_that_others_write_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc").chmod(0o777)
    with pytest.raises(SettingsError, match="can be changed by others"):
        install("copilot", tmp_path)
    assert list((tmp_path / "etc").iterdir()) == []


@pytest.mark.parametrize(
    ("agent", "text"), [("claude", '{"hooks": '), ("claude", '{"hooks": 3}'), ("codex", "hooks = 3\n[hooks]")]
)
def test_a_file_that_makes_no_sense_is_refused_as_it_is(tmp_path: Path, agent: str, text: str) -> None:
    file = existing(agent, tmp_path, text)
    with pytest.raises(SettingsError):
        install(agent, tmp_path)
    assert file.read_text() == text
    assert ledger(tmp_path).entries == {}


def test_an_empty_file_is_never_written(tmp_path: Path) -> None:
    path = str(tmp_path / "x.json")
    with pytest.raises(SettingsError, match="would be empty"):
        system_files.put(path, system_files.look(path), b" \n", owner=ME)
    assert not os.path.exists(path)


def test_a_change_by_somebody_else_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    before = system_files.look(str(file))
    file.write_text("theirs")
    with pytest.raises(SettingsError, match="somebody else"):
        system_files.put(str(file), before, b"{}", owner=ME)
    assert file.read_text() == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


VALUES = st.none() | st.booleans() | st.integers(0, 9) | st.text("ab {}[],:\"'\\\n", max_size=6)
DOCUMENTS = st.recursive(
    st.dictionaries(st.sampled_from(["a", "hooksConfig", "enabled", "b c"]), VALUES, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from(["hooksConfig", "a", "x"]), inner | VALUES, max_size=3),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=DOCUMENTS, indent=st.sampled_from([None, 2, "\t"]))
def test_a_forced_value_changes_nothing_else_of_a_document(document: dict, indent: int | str | None) -> None:
    text = json.dumps(document, indent=indent)
    forced = Forced(("hooksConfig", "enabled"), True)
    if not isinstance(document.get("hooksConfig", {}), dict):
        with pytest.raises(SettingsError):
            with_entries(text, [forced])
        return
    after = with_entries(text, [forced])
    wanted = {**document, "hooksConfig": {**document.get("hooksConfig", {}), "enabled": True}}
    assert json.loads(after) == wanted
    assert with_entries(after, [forced]) == after
    wanted["hooksConfig"].pop("enabled")
    assert json.loads(without_member(after, forced.pointer)) == wanted


TABLES = st.lists(
    st.sampled_from(
        [
            "x = 1",
            "[a]",
            "[features.sub]",
            "features.other = 2",
            "[features]",
            "hooks = false",
            "# c",
            "",
            "[[t]]",
        ]
    ),
    max_size=6,
).map("\n".join)


@given(text=TABLES, top=st.booleans())
def test_a_forced_value_of_toml_changes_nothing_else(text: str, top: bool) -> None:
    forced = Forced(("only",) if top else ("features", "hooks"), True)
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(SettingsError):
            with_value(text, forced)
        return
    try:
        after = with_value(text, forced)
    except SettingsError:
        return  # said, and nothing written
    wanted = (
        {**before, "only": True}
        if top
        else {**before, "features": {**before.get("features", {}), "hooks": True}}
    )
    assert tomllib.loads(after) == wanted
    assert with_value(after, forced) == after
    without = tomllib.loads(without_value(after, forced.pointer))
    assert "only" not in without if top else "hooks" not in without.get("features", {})


def test_a_value_of_another_type_is_not_the_wanted_one() -> None:
    change = JsonEntries("/x.json", (Forced(("a",), True),))
    assert applied(change, b'{"a": 1}') == b'{"a": true}'
