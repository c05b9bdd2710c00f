"""What a release checks and writes, in a small repository that is ready for one."""

from __future__ import annotations

import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from release.__main__ import main
from release.checks import faults
from release.checksums import checksums_text
from release.notes import notes_for
from release.parts_list import parts_list_text
from release.passed import note_passed
from tests.git_traps import git

ROOT = Path(__file__).parents[3]
CHANGELOG = "# Changelog\n\n## 1.2.3 (2026-11-19)\n\n- New.\n\n## 1.2.2\n\n- Old.\n"


@pytest.fixture
def ready(tmp_path):
    (tmp_path / "src/fairlead").mkdir(parents=True)
    (tmp_path / "src/fairlead/__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / ".gitignore").write_text("build/\n")
    git(tmp_path, "init", "-q")
    _commit(tmp_path)
    return tmp_path


def _commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "work")
    note_passed(root)


def test_what_is_ready_has_no_faults(ready):
    assert list(faults(ready, "1.2.3")) == []


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.3", "1.2.3rc1", "1.2.3\n", "$(x)"])
def test_a_version_is_three_numbers(ready, version):
    assert ["is no version" in fault for fault in faults(ready, version)] == [True]


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("pyproject.toml", '[project]\nversion = "1.2.4"\n', "pyproject.toml says version 1.2.4"),
        ("src/fairlead/__init__.py", '__version__ = "9"\n', "__init__.py says version 9"),
        ("CHANGELOG.md", "## 1.2.2\n\n- Old.\n", "has nothing below"),
        ("CHANGELOG.md", "## 1.2.3 (unreleased)\n\n- New.\n", "calls 1.2.3 unreleased"),
    ],
)
def test_versions_and_notes_agree(ready, file, text, fault):
    (ready / file).write_text(text)
    _commit(ready)
    (found,) = faults(ready, "1.2.3")
    assert fault in found


def test_a_change_that_no_commit_has_is_a_fault(ready):
    (ready / "new").write_text("")
    assert ["not clean" in fault for fault in faults(ready, "1.2.3")] == [True]


def test_tests_that_went_through_for_another_tree_do_not_count(ready):
    (ready / "new").write_text("")
    git(ready, "add", "-A")
    git(ready, "commit", "-q", "-m", "later")
    assert ["did not go through" in fault for fault in faults(ready, "1.2.3")] == [True]
    (ready / "build/passed").unlink()
    assert ["did not go through" in fault for fault in faults(ready, "1.2.3")] == [True]


def test_a_version_is_released_once(ready):
    git(ready, "tag", "v1.2.3")
    assert list(faults(ready, "1.2.3")) == ["the tag v1.2.3 is there already"]


def test_notes_are_the_section_of_the_version():
    assert notes_for(CHANGELOG, "1.2.3") == "- New.\n"
    assert notes_for(CHANGELOG, "1.2.2") == "- Old.\n"
    assert notes_for(CHANGELOG, "1.2") == notes_for(CHANGELOG, "1x2.3") == ""


def test_sums_are_those_that_sha256sum_checks(tmp_path):
    (tmp_path / "b").write_bytes(b"2")
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "SHA256SUMS").write_text(checksums_text(tmp_path))
    assert (tmp_path / "SHA256SUMS").read_text().startswith(f"{sha256(b'1').hexdigest()}  a\n")
    assert (
        subprocess.run(
            ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path, check=False
        ).returncode
        == 0
    )


def test_the_list_of_parts_is_the_same_each_time_and_has_what_the_package_needs():
    text = parts_list_text("0.1.0", epoch=0)
    assert text == parts_list_text("0.1.0", epoch=0)
    assert text != parts_list_text("0.1.0", epoch=1)
    told = json.loads(text)
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    required = {part["name"] for part in told["components"] if part["scope"] == "required"}
    assert {"click", "pyyaml", "regex"} <= required
    assert not {"pytest", "ruff", "mypy"} & {part["name"] for part in told["components"]}
    references = {part["bom-ref"] for part in told["components"]}
    assert set(told["dependencies"][0]["dependsOn"]) == references
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", told["serialNumber"])


def test_a_dry_release_of_this_commit_tells_and_changes_nothing(capsys):
    before = git_state()
    assert main(["9.9.9", "--dry"]) == 1
    told = capsys.readouterr()
    assert "pyproject.toml says version" in told.err
    assert told.out == "there are no notes\n"
    assert git_state() == before


def git_state():
    words = [["git", "status", "--porcelain"], ["git", "tag", "--list"]]
    return [subprocess.run(each, cwd=ROOT, capture_output=True, check=True).stdout for each in words]
