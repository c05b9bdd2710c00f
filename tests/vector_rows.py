"""The observed vectors: the shipped ones, or those of the file that the variable VECTORS names."""

import json
import os
from pathlib import Path

import pytest

from fairlead.profiles.profile import GEMINI, LLXPRT

FILE = os.environ.get("VECTORS") or Path(__file__).parent / "data" / "gemini_llxprt.json"
VECTORS = json.loads(Path(FILE).read_text())
PROFILES = {"G": GEMINI, "L": LLXPRT}

both = pytest.mark.parametrize("column", ["G", "L"])


def rows(name):
    return pytest.mark.parametrize("row", VECTORS.get(name, ()), ids=lambda row: json.dumps(row)[:60])
