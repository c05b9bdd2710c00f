"""Where a guard lives, found by looking."""

import os
import sys
from pathlib import Path

import fairlead
from fairlead.policy.installation import find_installation
from fairlead.policy.places import find_places
from tests.python_environments import base_python, environment_of, places_in, record


def test_its_own_folders_are_kept_with_another_home_and_the_default_ones_as_well(tmp_path: Path) -> None:
    places, usual = find_places(str(tmp_path)), find_places()
    kept = find_installation(places).kept
    wanted = [getattr(each, name) for each in (places, usual) for name in ("config", "state", "run", "share")]
    assert set(wanted) <= set(kept)


def test_the_python_that_runs_is_kept(tmp_path: Path) -> None:
    found = find_installation(places_in(tmp_path))
    package, library = os.path.dirname(fairlead.__file__), os.path.dirname(os.__file__)
    assert {sys.executable, os.path.realpath(sys.executable), package, library} <= set(found.kept)
    assert [each for each in sys.path if each.endswith("site-packages") and each not in found.kept] == []


def test_the_recorded_python_is_kept_though_it_is_not_the_one_that_runs(tmp_path: Path) -> None:
    places, base = places_in(tmp_path / "home"), base_python(tmp_path / "pyenv")
    interpreter = environment_of(base, tmp_path / "tool")
    record(places, interpreter)
    found = find_installation(places)
    kept = {
        str(interpreter),
        str(tmp_path / "tool/pyvenv.cfg"),
        str(tmp_path / "tool/lib/python3.12/site-packages"),
        str(base / "bin/python3.12"),
        str(base / "bin/python3"),
        str(base / "lib/python3.12"),
    }
    assert kept <= set(found.kept)
    assert str(base / "lib/python3.12/site-packages") in found.free
    assert str(tmp_path / "tool") not in found.kept


def test_an_environment_that_was_made_for_the_guard_is_kept_as_a_whole(tmp_path: Path) -> None:
    places, base = places_in(tmp_path / "home"), base_python(tmp_path / "pyenv")
    record(places, environment_of(base, tmp_path / "uv/tools/fairlead"))
    found = find_installation(places)
    assert str(tmp_path / "uv/tools/fairlead") in found.kept
    assert [each.own for each in found.environments if each.prefix.endswith("/fairlead")] == [True]


def test_one_below_its_own_folder_was_made_for_it(tmp_path: Path) -> None:
    places, base = places_in(tmp_path / "home"), base_python(tmp_path / "pyenv")
    record(places, environment_of(base, Path(places.share) / "python"))
    assert any(each.own for each in find_installation(places).environments)


def test_packages_of_a_python_that_runs_the_guard_itself_are_not_free(tmp_path: Path) -> None:
    places, base = places_in(tmp_path / "home"), base_python(tmp_path / "pyenv")
    record(places, base / "bin/python3")
    found = find_installation(places)
    assert str(base / "lib/python3.12") in found.kept
    assert [path for path in found.free if path.startswith(str(base))] == []


def test_a_place_behind_a_link_is_kept_under_both_names(tmp_path: Path) -> None:
    (tmp_path / "disk/state").mkdir(parents=True)
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    kept = find_installation(places_in(tmp_path / "home")).kept
    assert {str(tmp_path / "home/state"), str(tmp_path / "disk/state")} <= set(kept)


def test_a_record_that_makes_no_sense_is_none(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    for content in (b"", b"interpreter=\n", b"interpreter=relative/python\n", b"\xff\xfe"):
        Path(places.client_record).parent.mkdir(parents=True, exist_ok=True)
        Path(places.client_record).write_bytes(content)
        assert [each.programs for each in find_installation(places).environments] == [
            os.path.dirname(sys.executable)
        ]


def test_what_starts_with_every_python_is_kept_in_folders_that_others_put_on_the_path(
    tmp_path: Path, monkeypatch
) -> None:
    (tmp_path / "src").mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "src")])
    kept = find_installation(places_in(tmp_path)).kept
    assert str(tmp_path / "src/sitecustomize.py") in kept
    assert str(tmp_path / "src") not in kept


def test_what_is_free_for_one_python_of_the_guard_is_not_if_another_needs_it(
    tmp_path: Path, monkeypatch
) -> None:
    places, base = places_in(tmp_path / "home"), base_python(tmp_path / "pyenv")
    record(places, environment_of(base, tmp_path / "tool"))
    monkeypatch.setattr(sys, "executable", str(base / "bin/python3"))
    found = find_installation(places)
    assert [path for path in found.free if path.startswith(str(base))] == []
    assert str(base / "lib/python3.12/site-packages") in found.kept


def test_what_links_of_a_policy_folder_lead_to_is_kept(tmp_path: Path) -> None:
    places, dotfiles = find_places(str(tmp_path / "home")), tmp_path / "dotfiles"
    (dotfiles / "hooks" / "mine").mkdir(parents=True)
    (dotfiles / "mode.yaml").touch()
    (dotfiles / "guard.py").touch()
    config = Path(places.config)
    config.mkdir(parents=True)
    (config / "hooks").symlink_to(dotfiles / "hooks")
    (config / "notify.yaml").symlink_to(dotfiles / "notify.yaml")
    (dotfiles / "hooks" / "mode.yaml").symlink_to(dotfiles / "mode.yaml")
    (dotfiles / "hooks" / "mine" / "guard.py").symlink_to(dotfiles / "guard.py")
    wanted = {str(dotfiles / name) for name in ("hooks", "mode.yaml", "guard.py", "notify.yaml")}
    assert wanted <= set(find_installation(places).kept)


def test_a_link_to_where_the_policy_folder_lies_makes_nothing_else_the_guards(tmp_path: Path) -> None:
    places = find_places(str(tmp_path / "home"))
    Path(places.config, "hooks").mkdir(parents=True)
    Path(places.config, "hooks", "up").symlink_to(tmp_path)
    assert str(tmp_path) not in find_installation(places).kept
