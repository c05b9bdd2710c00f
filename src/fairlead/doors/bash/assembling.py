"""Puts `hooks.bash` together from its parts: `python -m fairlead.doors.bash.assembling`.

The file that scripts source stands alone, so it holds what is written elsewhere as well: the recorder,
which is `bridge.py` with `recorded.py`, and the grammar of contracts. A part names such a text as `@name@`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairlead.contracts import grammar

PLACE = Path(__file__).parent
ASSEMBLED = PLACE / "hooks.bash"
PARTS = (
    "head",
    "words",
    "declaring",
    "implementations",
    "settings",
    "running",
    "starting",
    "capture",
    "recording",
    "middleware",
    "contracts",
    "json",
    "flow",
    "ending",
    "tail",
    "recorder",
)


def assembled() -> str:
    """The text of `hooks.bash`."""
    text = "\n".join((PLACE / "parts" / f"{part}.bash").read_text() for part in PARTS)
    for name, inserted in _inserted().items():
        text = text.replace(f"@{name}@", inserted)
    return text


def _inserted() -> dict[str, str]:
    return {
        "recorder": _recorder(),
        "grammar.name": grammar.NAME,
        "grammar.bare": grammar.BARE,
        "grammar.exit_code": grammar.EXIT_CODE,
        "grammar.seconds": grammar.SECONDS,
        "grammar.json_number": grammar.JSON_NUMBER,
        "grammar.mode_names": ", ".join(grammar.MODES),
        "grammar.modes": "\n    ".join(map(_mode, grammar.MODES)),
        "grammar.settings": " ".join(grammar.SETTINGS),
        "grammar.callers_alone": " ".join(grammar.CALLERS_ALONE),
        "grammar.protected": _alternatives(grammar.PROTECTED),
    }


def _recorder() -> str:
    """One program of its two files."""
    program = (PLACE / "bridge.py").read_text()
    (joint,) = [line for line in program.splitlines() if line.startswith("from fairlead.")]
    start, end = program.split(joint + "\n")
    return start + (PLACE / "recorded.py").read_text() + end


def _mode(word: str) -> str:
    """What the mode sets, as a branch of a `case`."""
    kind, default, _, variables = grammar.MODES[word]
    pairs = {name: f"{name}={value}" for name, value in variables.items()}
    own = [pair for name, pair in pairs.items() if name in grammar.CALLERS_ALONE]
    exported = [pair for name, pair in pairs.items() if name not in grammar.CALLERS_ALONE]
    arrays = f"__h_exported=({' '.join(exported)}) __h_own=({' '.join(own)})"
    return f"{word}) __h_kind='{kind}' __h_default='{default}' {arrays} ;;"


def _alternatives(patterns: Sequence[str]) -> str:
    """Patterns of a `case`, several to a line."""
    rows = [" | ".join(patterns[start : start + 8]) for start in range(0, len(patterns), 8)]
    return " | \\\n      ".join(rows)


if __name__ == "__main__":
    ASSEMBLED.write_text(assembled())
