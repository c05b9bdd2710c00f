from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_library_is_typed_for_its_users(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "tests/typing"]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (answer.returncode, answer.stderr) == (0, ""), answer.stdout


def test_importing_fairlead_loads_at_most_five_of_our_modules() -> None:
    code = "import fairlead, sys; print(sum(1 for name in sys.modules if name.startswith('fairlead')))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(answer.stdout) <= 5
