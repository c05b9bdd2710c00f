"""A Homebrew formula for a tap of one's own, with the hash of the source archive."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from string import Template

from shipping import project

TEMPLATE = Path(__file__).with_name("fairlead.rb.in")


def make_formula(folder: Path) -> Path:
    """SOURCE_URL says where the archive will be; without it, the formula installs the one in this folder."""
    archive = next(folder.glob("*.tar.gz"))
    where = os.environ.get("SOURCE_URL") or archive.resolve().as_uri()
    formula = Template(TEMPLATE.read_text()).substitute(
        url=where,
        sha256=hashlib.sha256(archive.read_bytes()).hexdigest(),
        description=project()["description"],
    )
    made = folder / "fairlead.rb"
    made.write_text(formula)
    return made
