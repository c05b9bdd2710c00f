"""Every link of the documentation leads somewhere, and every page can be reached."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handbook.pages import DOCS, ROOT, all_pages, anchors, links, navigation


def dead(page: Path) -> list[str]:
    """The links of a page that lead nowhere, or from the site to a file that it does not have."""
    return [link for link in links(page.read_text("utf-8")) if not leads_somewhere(page, link)]


def leads_somewhere(page: Path, link: str) -> bool:
    if link.startswith(("https://", "http://")):
        return True
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.is_file() or (page.is_relative_to(DOCS) and not target.is_relative_to(DOCS)):
        return False
    return not anchor or anchor in anchors(target.read_text("utf-8"))


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert dead(page) == []


def test_every_page_has_one_place_in_the_navigation() -> None:
    pages = sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))
    assert sorted(navigation()) == pages, "put the page into `nav` of zensical.toml"


@pytest.mark.parametrize(
    "text",
    [
        "[a](nope.md)",
        "[a](#nope)",
        "[a](policy.md#nope)",
        "![a](nope.png)",
        "[`a`](nope.md)",
        "[a](../README.md)",
    ],
)
def test_a_dead_link_is_found(text: str) -> None:
    (link,) = links(text)
    assert not leads_somewhere(DOCS / "laws.md", link)


@pytest.mark.parametrize("text", ["`[a](nope.md)`", "```\n[a](nope.md)\n```", "a](b c)"])
def test_code_holds_no_links(text: str) -> None:
    assert links(text) == []


def test_anchors_are_those_of_the_headings() -> None:
    text = '# One `two`, three?\n\n```\n# none\n```\n\n## 1. [Four](x.md)\n<span id="a/b"></span>\n'
    assert anchors(text) == {"one-two-three", "1-four", "a/b"}


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_code_in_a_table_needs_a_backslash_that_the_site_would_show(page: Path) -> None:
    rows = [line for line in page.read_text("utf-8").splitlines() if line.lstrip().startswith("|")]
    assert [row for row in rows if re.search(r"`[^`]*\\\|[^`]*`", row)] == []
