"""What the project's papers name is there: files, targets of make, fields of forms."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAPERS = ("CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "docs/scan.md", "docs/stores.md")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))


def _code(name: str) -> list[str]:
    text = (ROOT / name).read_text("utf-8")
    return [*re.findall(r"`([^`\n]+)`", text), *re.findall(r"^\$ (.+)$", text, re.MULTILINE)]


@pytest.mark.parametrize("name", PAPERS)
def test_every_target_of_make_that_a_paper_names_is_there(name):
    named = {found[1] for each in _code(name) if (found := re.match(r"make ([a-z-]+)\b(?! -n)", each))}
    assert named - {"-n"} <= TARGETS


@pytest.mark.parametrize("name", PAPERS)
def test_every_place_that_a_paper_names_is_there(name):
    ours = re.compile(r"(?:src|tests|docs|plugins|benchmarks|scan|release)/[\w./-]+")
    missing = [each for each in _code(name) if ours.fullmatch(each) and not (ROOT / each).exists()]
    assert missing == []


def test_every_test_that_make_runs_is_there_and_kept_by_git():
    named = re.findall(r"(?<![\w/])tests/[\w./*-]*[\w*]", (ROOT / "Makefile").read_text("utf-8"))
    assert [each for each in named if not list(ROOT.glob(each))] == []
    ignored = subprocess.run(["git", "-C", ROOT, "check-ignore", *named], capture_output=True, check=False)
    assert ignored.stdout.decode() == ""


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_forms_are_what_the_code_host_reads(form):
    described = yaml.safe_load(form.read_text("utf-8"))
    if form.name == "config.yml":
        assert described == {"blank_issues_enabled": True}
        return
    assert {"name", "description", "body"} <= set(described)
    ids = [field["id"] for field in described["body"]]
    assert len(ids) == len(set(ids))
    for field in described["body"]:
        assert field["type"] in ("textarea", "input")
        assert field["attributes"]["label"]


def test_no_paper_names_an_address_of_mail():
    for name in PAPERS[:3]:
        assert not re.search(r"[\w.]+@[\w-]+\.\w+", (ROOT / name).read_text("utf-8")), name
