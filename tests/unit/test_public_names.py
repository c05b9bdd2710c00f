import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import fairlead

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"][
    "optional-dependencies"
]


def test_every_public_name_is_there_or_says_which_package_it_needs():
    for name in dir(fairlead):
        try:
            assert getattr(fairlead, name) is not None
        except ImportError as error:
            extra = str(error).partition("pip install 'fairlead[")[2].rstrip("]'")
            assert extra in EXTRAS, name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = fairlead.nonsense


def test_law_11_importing_the_package_loads_no_other_module_of_ours():
    code = "import fairlead, sys; print([m for m in sys.modules if m.startswith('fairlead.')])"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
