"""The files beside this one, read once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

_FOLDER = os.path.join(os.path.dirname(__file__), "starter")


@cache
def read_data(name: str) -> Mapping[str, object]:
    import tomllib  # only where somebody approves something

    with open(os.path.join(_FOLDER, f"{name}.toml"), "rb") as file:
        return tomllib.load(file)
