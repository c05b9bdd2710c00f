"""Small tables written as text."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


DATA_ENDINGS = (
    *(
        ".json",
        ".csv",
        ".yml",
        ".yaml",
        ".toml",
        ".txt",
        ".md",
        ".xml",
        ".html",
        ".css",
        ".scss",
        ".svg",
        ".png",
    ),
    *(".lock", ".log"),
)
"""How files are called that are taken in as they are: nobody makes a program of them."""
