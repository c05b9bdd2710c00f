"""Where the two halves lie."""

from pathlib import Path

OPEN = Path(__file__).parent / "open"
SEALED = Path(__file__).parent / "sealed"
