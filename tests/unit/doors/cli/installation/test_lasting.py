from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.doors.cli.installation import lasting
from fairlead.doors.cli.installation.lasting import who_else_writes, why_it_goes


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose own folder does not count as temporary, wherever the tests run."""
    monkeypatch.setattr(lasting, "_TEMPORARY", ("/nowhere/tmp",))
    monkeypatch.setattr(lasting.tempfile, "gettempdir", lambda: "/nowhere/tmp")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def python_in(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "python3").write_text("")
    return str(folder / "python3")


@pytest.mark.parametrize(
    ("folder", "why"),
    [
        (".cache/uv/archive-v0/abc/bin", "it is in a cache"),
        (".cache/pipx/123/bin", "it is in a cache"),
        ("Library/Caches/uv/bin", "it is in a cache"),
        (".local/share/uv/python/cpython-3.12/bin", ""),
        (".local/pipx/venvs/fairlead/bin", ""),
        ("venvs/mine/bin", ""),
    ],
)
def test_what_is_in_a_cache_goes(place: Path, folder: str, why: str) -> None:
    assert why_it_goes(python_in(place / folder), {}) == why


def test_a_cache_can_have_any_name(place: Path) -> None:
    path = python_in(place / "big" / "uv" / "bin")
    assert why_it_goes(path, {"UV_CACHE_DIR": str(place / "big" / "uv")}) == "it is in a cache"


def test_what_is_inside_a_clone_goes_with_it(place: Path) -> None:
    (place / "src" / "app" / ".git").mkdir(parents=True)
    path = python_in(place / "src" / "app" / ".venv" / "bin")
    assert why_it_goes(path, {}) == f"it is inside the clone {place}/src/app"


@pytest.mark.parametrize("clone", [".", ".pyenv"], ids=["a home kept in git", "a tool that is a clone"])
def test_a_home_kept_in_git_and_a_hidden_clone_stay(place: Path, clone: str) -> None:
    (place / clone / ".git").mkdir(parents=True)
    assert why_it_goes(python_in(place / ".pyenv" / "versions" / "3.12" / "bin"), {}) == ""


def test_what_is_in_a_temporary_folder_goes() -> None:
    assert why_it_goes("/tmp/x/bin/python3", {}) == "it is in a temporary folder"


def test_a_link_is_as_good_as_what_it_leads_to(place: Path) -> None:
    (place / "python3").symlink_to(python_in(place / ".cache" / "uv"))
    assert why_it_goes(str(place / "python3"), {}) == "it is in a cache"


def test_a_folder_that_everybody_can_write_is_named(place: Path) -> None:
    path = python_in(place / "shared" / "bin")
    assert who_else_writes(path) == ""
    (place / "shared").chmod(0o777)
    assert who_else_writes(path) == str(place / "shared")
    (place / "shared").chmod(0o1777)
    assert who_else_writes(path) == ""
