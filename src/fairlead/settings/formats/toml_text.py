"""A block of our own at the end of a TOML settings file, between two comments."""

from __future__ import annotations

import tomllib

from fairlead.errors import SettingsError

_BEGIN = "# fairlead-hook: begin (`fairlead uninstall` removes this)"
_END = "# fairlead-hook: end"


def with_block(text: str, block: str) -> str:
    """`block` is whole tables: they can stand at the end of any document that has none of the same name."""
    kept = without_block(text)
    _check(kept)
    gap = "" if not kept or kept.endswith("\n") else "\n"
    made = f"{kept}{gap}{_BEGIN}\n{block.rstrip()}\n{_END}\n"
    _check(made)
    return made


def without_block(text: str) -> str:
    start = text.find(_BEGIN)
    end = text.find(_END, start)
    if start < 0:
        return text
    if end < 0:
        raise SettingsError(f"{_BEGIN!r} stands in the file without {_END!r}", hint="mend it by hand")
    return text[:start] + text[end + len(_END) :].removeprefix("\n")


def block_of(text: str) -> str:
    """What stands between our two comments."""
    start, end = text.find(_BEGIN), text.find(_END)
    return text[start + len(_BEGIN) : end] if 0 <= start < end else ""


def _check(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"not TOML: {error}", hint="nothing was changed") from None
