"""`python -m handbook` writes the generated pages; `--check` names those that differ from the code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from handbook.generated import generated_pages

ROOT = Path(__file__).parents[1]
MARK = "<!-- made by `python -m handbook`: change the code, not this page -->"


def wanted_texts() -> dict[Path, str]:
    """Every generated page as it has to be."""
    return {ROOT / "docs" / name: f"{MARK}\n\n{text}" for name, text in generated_pages().items()}


def written_texts() -> dict[Path, str]:
    """Every generated page as it is; one that nothing makes any more is among them."""
    pages = {page: page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")}
    return {page: text for page, text in pages.items() if text.startswith(MARK)}


def differing() -> list[Path]:
    wanted, written = wanted_texts(), written_texts()
    return sorted(page for page in wanted.keys() | written.keys() if wanted.get(page) != written.get(page))


def write() -> None:
    wanted = wanted_texts()
    for page in written_texts().keys() - wanted.keys():
        page.unlink()
    for page, text in wanted.items():
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: python -m handbook [--check]", file=sys.stderr)
        return 64
    if not arguments:
        write()
        return 0
    for page in differing():
        print(
            f"{page.relative_to(ROOT)} is not what the code says: run `python -m handbook`", file=sys.stderr
        )
    return 1 if differing() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
