"""Vectors: what was observed and what follows from it, or those of the file that VECTORS names."""

import json
import os
from pathlib import Path

import pytest

from fairlead.profiles.javascript import parsed as as_javascript_reads
from fairlead.profiles.profile import GEMINI, LLXPRT

DATA = Path(__file__).parent / "data"
SHIPPED = (DATA / "gemini_llxprt.json", DATA / "gemini_llxprt_rules.json")
FILES = [Path(os.environ["VECTORS"])] if os.environ.get("VECTORS") else SHIPPED
VECTORS = [as_javascript_reads(file.read_text(encoding="utf-8")) for file in FILES]
PROFILES = {"G": GEMINI, "L": LLXPRT}

both = pytest.mark.parametrize("column", ["G", "L"])


def rows(name):
    found = [row for vectors in VECTORS for row in vectors.get(name, ())]
    return pytest.mark.parametrize("row", found, ids=lambda row: json.dumps(row)[:60])
