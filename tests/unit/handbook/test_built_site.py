"""Whatever a built site would load from elsewhere is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from handbook.built_site import POLICY, main, page_faults

META = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'


@pytest.mark.parametrize(
    "part",
    [
        '<script src="https://cdn.example/a.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/a.css">',
        '<link rel="preconnect" href="https://fonts.example">',
        '<img src="http://pictures.example/a.png">',
        '<p style="background: url(https://pictures.example/a.png)">',
        "<style>@import 'https://fonts.example/a.css';</style>",
        '<object data="https://pictures.example/a.svg"></object>',
    ],
)
def test_what_a_page_loads_from_elsewhere_is_named(part: str) -> None:
    (fault,) = set(page_faults(META + part))
    assert ".example" in fault


@pytest.mark.parametrize(
    "part",
    [
        '<a href="https://pre-commit.com">a page to go to</a>',
        '<script src="assets/a.js"></script>',
        '<link rel="canonical" href="https://docs.example/a.html">',
        '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    ],
)
def test_what_loads_nothing_from_elsewhere_passes(part: str) -> None:
    assert list(page_faults(META + part)) == []


def test_a_page_without_the_policy_is_named() -> None:
    assert "policy" in "".join(page_faults("<p>text</p>"))
    assert "policy" in "".join(page_faults(META.replace("'self'", "*")))


def test_the_theme_gives_every_page_the_policy() -> None:
    theme = Path(__file__).parents[3] / "handbook" / "theme" / "main.html"
    assert list(page_faults(theme.read_text())) == []


def test_the_pictures_of_the_pages_load_nothing(tmp_path: Path) -> None:
    docs = Path(__file__).parents[3] / "docs"
    (tmp_path / "index.html").write_text(META)
    for picture in docs.rglob("*.svg"):
        (tmp_path / picture.name).write_bytes(picture.read_bytes())
    assert main([str(tmp_path)]) == 0


def test_a_folder_without_a_site_is_a_fault(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", "@import '//fonts.example/a.css';"),
        ("a.svg", "<svg><style>@font-face { src: url('https://fonts.example/a.woff') }</style></svg>"),
        ("a.html", f"{META}<img src='https://pictures.example/a.png'>"),
    ],
)
def test_a_site_with_such_a_file_is_refused(
    tmp_path: Path, name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text(META)
    (tmp_path / name).write_text(text)
    assert main([str(tmp_path)]) == 1
    assert name in capsys.readouterr().err
