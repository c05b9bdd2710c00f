"""`make release VERSION=x.y.z`: all that a release needs, in order; DRY=1 builds and tags nothing."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from release.checks import faults
from release.checksums import checksums_text
from release.notes import notes_for
from release.parts_list import parts_list_text

ROOT = Path(__file__).resolve().parents[1]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m release")
    parser.add_argument("version")
    parser.add_argument("--dry", action="store_true", help="check, show the notes, and stop there")
    given = parser.parse_args(words)
    found = list(faults(ROOT, given.version))
    for fault in found:
        print(f"not ready: {fault}", file=sys.stderr)
    notes = notes_for((ROOT / "CHANGELOG.md").read_text("utf-8"), given.version)
    if given.dry:
        print(notes or "there are no notes")
    if found or given.dry:
        return int(bool(found))
    _build(given.version, notes)
    print(f"v{given.version} is tagged here and built in dist/. Nothing was published:")
    print(f"  git push origin v{given.version}")
    print("  twine upload dist/*.whl dist/*.tar.gz")
    print("  a release page with dist/NOTES.md and all of dist/")
    return 0


def _build(version: str, notes: str) -> None:
    """The tag is last: what it names was built."""
    dist = ROOT / "dist"
    _run("make", "dist-check")
    (dist / f"fairlead-{version}.cdx.json").write_text(
        parts_list_text(version, epoch=_commit_time()), "utf-8"
    )
    (dist / "NOTES.md").write_text(notes, "utf-8")
    (dist / "SHA256SUMS").write_text(checksums_text(dist), "utf-8")
    _run(
        "git",
        "tag",
        "--annotate",
        "--cleanup=verbatim",
        f"v{version}",
        "--message",
        f"Fairlead {version}\n\n{notes}",
    )


def _commit_time() -> int:
    told = os.environ.get("SOURCE_DATE_EPOCH")
    return int(told or _run("git", "log", "-1", "--format=%ct"))


def _run(*words: str) -> str:
    captured = words[0] == "git"
    done = subprocess.run(words, cwd=ROOT, check=True, capture_output=captured, text=True)
    return done.stdout.strip() if captured else ""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
