"""What a scan reads, what it leaves alone, and what lets a finding through."""

from __future__ import annotations

import os
import re

import pytest

from fairlead.errors import UsageError
from fairlead.scan.baseline import baseline_text, read_baseline
from fairlead.scan.scanner import Scan
from fairlead.scan.selection import Selection
from tests.git_traps import git
from tests.unit.scan.scan_kit import places, scanned, written

_RULE = "filesystem/recursive-delete-outside-project"


def test_the_part_that_is_meant_has_its_columns(tmp_path):
    (finding,) = scanned(tmp_path, **{"a.sh": "if true; then rm -rf ~; fi\n"}).findings
    assert (finding.column, finding.end, finding.source) == (15, 23, "if true; then rm -rf ~; fi")


def test_findings_are_in_order_and_each_is_told_once(tmp_path):
    files = {
        "b.sh": "rm -rf ~\n",
        "a.sh": "rm -rf ~\nrm -rf /\n",
        "Makefile": "all:\n\tbash a.sh; bash a.sh\n",
    }
    found = places(scanned(tmp_path, **files))
    assert found == [("a.sh", 1, _RULE), ("a.sh", 2, _RULE), ("b.sh", 1, _RULE)]
    assert found == places(scanned(tmp_path))


@pytest.mark.parametrize(
    "text",
    [
        f"rm -rf ~ # fairlead: allow {_RULE} because it is a throw-away machine\n",
        f"# fairlead: allow {_RULE} because it is a throw-away machine\nrm -rf ~\n",
        "rm -rf ~ # fairlead: allow filesystem/* because it is a throw-away machine\n",
    ],
)
def test_a_comment_with_a_reason_lets_a_finding_through(tmp_path, text):
    report = scanned(tmp_path, **{"a.sh": text})
    assert not report.findings
    assert [each.reason for each in report.allowed] == ["it is a throw-away machine"]
    assert scanned(tmp_path, comments=False).findings


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf ~ # fairlead: allow git/force-push because it is another rule\n",
        f"echo # fairlead: allow {_RULE} because it stands behind something else\nrm -rf ~\n",
        f"# fairlead: allow {_RULE} because it is too far away\n\nrm -rf ~\n",
        f"rm -rf ~; echo 'fairlead: allow {_RULE} because it is no comment'\n",
    ],
)
def test_no_other_comment_does(tmp_path, text):
    assert len(scanned(tmp_path, **{"a.sh": text}).findings) == 1


def test_a_comment_without_a_reason_is_told_so(tmp_path):
    (finding,) = scanned(tmp_path, **{"a.sh": f"rm -rf ~ # fairlead: allow {_RULE}\n"}).findings
    assert "line 1 gives no reason" in finding.advice


def test_a_baseline_knows_a_finding_wherever_its_line_moves(tmp_path):
    first = scanned(tmp_path, **{"a.sh": "rm -rf ~\nrm -rf ~\n"})
    assert len({each.fingerprint for each in first.findings}) == 2
    path = tmp_path / "baseline.json"
    path.write_text(baseline_text(first.findings))
    known = read_baseline(str(path))
    moved = scanned(tmp_path, known=known, **{"a.sh": "echo\n  rm -rf ~\n\nrm -rf ~\nrm -rf /\n"})
    assert places(moved) == [("a.sh", 5, _RULE)]
    assert len(moved.allowed) == 2
    gone = scanned(tmp_path, known=known, **{"a.sh": "rm -rf ~\n"})
    assert gone.remarks == ("the baseline has 1 that are gone",)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2, "findings": []}', '{"version": 1}'])
def test_a_baseline_that_is_none_is_refused(tmp_path, text):
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(UsageError, match="no baseline"):
        read_baseline(str(tmp_path / "b.json"))


def test_what_cannot_be_read_is_said(tmp_path):
    (tmp_path / "big.sh").write_text("echo\n" * 300_000)
    (tmp_path / "binary.sh").write_bytes(b"\x7fELF\0\0\0")
    os.mkfifo(tmp_path / "pipe.sh")
    os.symlink("/etc/profile", tmp_path / "out.sh")
    os.symlink("nowhere", tmp_path / "gone.sh")
    report = scanned(tmp_path, **{"ok.sh": "echo\n"})
    assert report.files == 1
    assert {each.path: each.why.split(" ", 2)[2] for each in report.unread} == {
        "big.sh": "larger than 1 MiB",
        "binary.sh": "no text",
        "pipe.sh": "no ordinary file that may be read",
        "out.sh": "a link that leads out of the repository",
    }


def test_a_link_that_leads_out_is_not_followed_from_another_file(tmp_path):
    outside = written(tmp_path, {"outside/x.sh": "rm -rf ~\n"}) / "outside"
    project = written(tmp_path / "project", {"Makefile": "all:\n\tbash x.sh\n"})
    os.symlink(outside / "x.sh", project / "x.sh")
    assert places(scanned(project)) == []


def test_packages_of_others_are_left_alone(tmp_path):
    files = {f"{folder}/x.sh": "rm -rf ~\n" for folder in ("node_modules/a", "vendor/a", ".venv/bin", "own")}
    assert places(scanned(tmp_path, **files)) == [("own/x.sh", 1, _RULE)]


def test_of_a_folder_only_what_git_tracks_is_taken(tmp_path):
    written(tmp_path, {"a.sh": "", "sub/b.sh": "", "sub/new.sh": ""})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "a.sh", "sub/b.sh")
    below = str(tmp_path)
    assert Selection(everything=False).files([below]) == [f"{below}/a.sh", f"{below}/sub/b.sh"]
    assert Selection(everything=False).files([f"{below}/sub"]) == [f"{below}/sub/b.sh"]
    assert f"{below}/sub/new.sh" in Selection(everything=True).files([below])
    assert Selection(everything=False).files([f"{below}/sub/new.sh"]) == [f"{below}/sub/new.sh"]


def test_a_folder_in_no_repository_is_taken_as_a_whole_and_that_is_said(tmp_path):
    selection = Selection(everything=False)
    written(tmp_path, {"a.sh": ""})
    assert selection.files([str(tmp_path)]) == [f"{tmp_path}/a.sh"]
    assert selection.remarks == [f"{tmp_path} is in no repository: all of its files were taken"]


def test_a_damaged_index_hides_nothing(tmp_path):
    written(tmp_path, {"a.sh": ""})
    git(tmp_path, "init", "-q")
    (tmp_path / ".git/index").write_bytes(b"DIRC" + b"\0" * 40)
    selection = Selection(everything=False)
    assert selection.files([str(tmp_path)]) == [f"{tmp_path}/a.sh"]
    assert "cannot be read" in selection.remarks[0]


def test_a_file_whose_reading_fails_hides_no_other(tmp_path, monkeypatch):
    from fairlead.scan import judging

    real = judging.understood_with

    def broken(text, *others):
        if "bad.sh" in text:
            raise ZeroDivisionError("x")
        return real(text, *others)

    monkeypatch.setattr(judging, "understood_with", broken)
    report = scanned(tmp_path, **{"bad.sh": "echo\n", "good.sh": "rm -rf ~\n"})
    assert places(report) == [("good.sh", 1, _RULE)]
    assert [(each.path, each.why) for each in report.unread] == [
        ("bad.sh", "reading it failed (ZeroDivisionError: x)")
    ]
    assert not scanned(tmp_path, **{"good.sh": "echo\n"}).passes


def test_a_key_in_a_file_is_found_and_not_shown(tmp_path):
    key = "AKIA" + "Q4ZT7GWNXH3MVLRB"
    report = scanned(tmp_path, **{"a.sh": f"export AWS_ACCESS_KEY_ID={key}\n", "test/b.sh": f"K={key}\n"})
    assert places(report) == [("a.sh", 1, "secrets/key-in-content")]
    assert key not in str(report.findings[0]._values())
    assert not re.search("reason.*" + key, str(report))


def test_nothing_says_where_the_scan_was_run(tmp_path):
    report = scanned(tmp_path, strict=True, **{"a.sh": "rm -rf ~ ../x\ncat ~/.ssh/id_rsa\n"})
    told = " ".join(f"{each.reason} {each.advice} {each.way}" for each in report.findings)
    assert report.findings
    assert str(tmp_path) not in told


def test_where_nobody_can_tell_the_line_none_is_told(tmp_path):
    code = "import shutil, os\nremove = shutil.rmtree\nremove(os.path.expanduser('~'))\n"
    report = scanned(tmp_path, **{"setup.py": code})
    assert places(report) == [("setup.py", 0, _RULE)]
    assert (report.findings[0].source, report.findings[0].column) == ("", 0)


@pytest.mark.parametrize(("line", "found"), [("git reset --hard", 1), ("rm -f made.txt", 0)])
def test_what_is_deleted_by_name_is_the_scripts_own_where_it_is_strict(tmp_path, line, found):
    assert len(scanned(tmp_path, strict=True, **{"a.sh": f"{line}\n"}).findings) == found


def test_a_named_file_that_came_with_a_package_is_said_to_be_left(tmp_path):
    report = scanned(tmp_path, **{"node_modules/a/x.sh": "rm -rf ~\n"})
    assert (report.files, report.unread) == (0, ())
    named = Scan(str(tmp_path)).report([f"{tmp_path}/node_modules/a/x.sh"])
    assert [each.why for each in named.unread] == ["it came with a package"]


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf ~ # fairlead: allow a/b because x" + " " * 300_000 + "y\n",
        "rm -rf $HOME" + " " * 300_000 + "\n",
        "rm -rf ~ " + "x" * 300_000 + "\n",
    ],
)
def test_a_long_line_holds_nobody_up_and_is_not_shown(tmp_path, text):
    (finding,) = scanned(tmp_path, **{"a.sh": text}).findings
    assert (finding.line, finding.column) == (1, 1)
    assert len(finding.source) <= 2000
