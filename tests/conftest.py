import pytest

from kit import Machine


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)
