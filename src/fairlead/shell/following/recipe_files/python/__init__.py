"""What runners of Python projects run: tox, nox, poe, hatch, pytest, and what builds a package."""
