"""What packages say, without building one: `make test-dist` installs the real ones."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from pathlib import Path

import pytest

from shipping import ROOT, project
from shipping.archives import TARGETS, WHEELS
from shipping.debian import ARCHITECTURES, DEPENDS, make_debian_package, make_debian_packages
from shipping.homebrew import make_formula
from shipping.sizes import table


def wheel(folder: Path) -> Path:
    made = folder / "fairlead-1.2.3-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("fairlead/__init__.py", "")
        archive.writestr("fairlead-1.2.3.data/scripts/fairlead-hook", b"\x7fELF" + bytes(2044))
        archive.writestr("fairlead-1.2.3.dist-info/METADATA", "Name: fairlead\n")
        archive.writestr("fairlead-1.2.3.dist-info/RECORD", "")
    return made


def test_debian_has_a_name_for_all_that_is_needed_and_for_no_more() -> None:
    assert set(DEPENDS) == set(project()["dependencies"])


def test_every_wheel_has_tags_of_its_own_and_a_folder_for_its_system() -> None:
    tags = [tag for target in TARGETS.values() for tag in target.tags]
    assert len(tags) == len(set(tags))
    assert {target.system for target in TARGETS.values()} == {"linux", "macos"}
    assert all((ROOT / "native" / target.system / "system.c").is_file() for target in TARGETS.values())
    assert set(WHEELS) == {*TARGETS, "pure"}


def test_only_a_linux_wheel_is_for_debian(tmp_path: Path) -> None:
    linux = {tag for target in TARGETS.values() if target.system == "linux" for tag in target.tags}
    assert set(ARCHITECTURES) <= linux
    assert make_debian_packages(tmp_path) == []


def test_a_debian_package_is_the_same_whenever_it_is_built(tmp_path: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("there is no dpkg-deb")
    first = make_debian_package(wheel(tmp_path), "amd64").read_bytes()
    assert make_debian_package(wheel(tmp_path), "amd64").read_bytes() == first


def test_the_formula_has_the_hash_of_the_archive_and_says_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fairlead-1.2.3.tar.gz").write_bytes(b"archive")
    monkeypatch.setenv("SOURCE_URL", "https://example.org/fairlead-1.2.3.tar.gz")
    text = make_formula(tmp_path).read_text()
    assert hashlib.sha256(b"archive").hexdigest() in text
    assert 'url "https://example.org/fairlead-1.2.3.tar.gz"' in text
    assert "$" not in text


def test_the_table_of_sizes_names_the_programs_of_a_wheel(tmp_path: Path) -> None:
    wheel(tmp_path)
    lines = list(table(tmp_path))
    assert "manylinux_2_17_x86_64" in lines[0]
    assert lines[1].split() == ["2", "KiB", "fairlead-hook"]
