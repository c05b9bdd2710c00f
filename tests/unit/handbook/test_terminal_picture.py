"""What a command printed, as a picture that loads nothing."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from handbook.terminal_picture import main, picture, pieces

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawn: str) -> list[tuple[str, float, str]]:
    """Text, place from the left and colour of each piece, without the title."""
    _title, *found = ET.fromstring(drawn).iter(f"{SVG}text")
    return [(each.text or "", float(each.attrib["x"]), each.attrib["fill"]) for each in found]


def test_each_piece_stands_in_its_column_and_colour() -> None:
    (block, text) = texts(picture("\x1b[31mblock  \x1b[0m  rm <x>\n", "a title"))
    assert (block[0], text[0]) == ("block", "rm <x>")
    assert text[1] - block[1] == pytest.approx(9 * 8.4)
    assert block[2] != text[2]


def test_a_style_lasts_until_it_ends() -> None:
    colours = [colour for _, colour in pieces("a\x1b[32mb\x1b[1mc\x1b[39md\x1b[31me\x1b[mf")]
    assert colours[1] == colours[2]
    assert colours[0] == colours[3] == colours[5]
    assert len({colours[0], colours[1], colours[4]}) == 3


def test_what_steers_a_terminal_is_left_out() -> None:
    assert [text for text, _, _ in texts(picture("a\x1b[2Kb\x07c", "t"))] == ["abc"]


def test_a_title_cannot_break_the_picture() -> None:
    assert ET.fromstring(picture("", '"><script>')).attrib["aria-label"] == '"><script>'


def test_the_picture_is_as_wide_as_the_longest_line() -> None:
    narrow, wide = (
        ET.fromstring(picture(text, "t")).attrib["viewBox"].split()[2] for text in ("a", "a\n" + "b" * 101)
    )
    assert int(wide) - int(narrow) == 840


def test_it_reads_what_is_piped_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hello\n"))
    assert main(["t", str(tmp_path / "a.svg")]) == 0
    assert "hello" in (tmp_path / "a.svg").read_text()
