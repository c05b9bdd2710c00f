"""A folder for hooks, and the object that runs them."""

import pytest

from fairlead.doors.scripts.script_hooks import ScriptHooks


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ci-cd").mkdir()
    return tmp_path / "ci-cd"


@pytest.fixture
def hooks(folder):
    return ScriptHooks(str(folder))
