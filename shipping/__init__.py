"""Makes what people install: wheels, the source archive, Debian packages, a Homebrew formula."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def project() -> dict[str, Any]:
    """What pyproject.toml says of it."""
    said: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return said
