"""The package of plugins on the path, without pip: its wheel is built, unpacked, and forgotten again."""

import importlib.util
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairlead import entry_points

PACKAGE = Path(__file__).parent / "data" / "plugin_package"


def unpack(folder: Path) -> Path:
    """Where the package lies as pip would have put it."""
    spec = importlib.util.spec_from_file_location("wheel_backend", PACKAGE / "wheel_backend.py")
    assert spec is not None and spec.loader is not None
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    folder.mkdir()
    wheel = folder / backend.build_wheel(folder)
    zipfile.ZipFile(wheel).extractall(folder)
    wheel.unlink()
    return folder


def distribution(folder: Path, name: str, entries: str) -> Path:
    """The metadata of a package that has nothing else."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entries)
    return folder


def forget() -> None:
    entry_points.load.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "acme_fairlead"]:
        del sys.modules[name]


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = unpack(tmp_path / "site")
    monkeypatch.syspath_prepend(str(folder))
    forget()
    yield folder
    forget()
