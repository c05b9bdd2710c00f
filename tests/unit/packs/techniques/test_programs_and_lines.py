"""Whole programs and lines, as an intruder or a careless agent would write them, beside others that look
alike.

The programs are in `python_programs.txt`, the lines in `shell_lines.txt`. The heading of each says whether
the guard stops it or lets it pass.
"""

from pathlib import Path

import pytest

from tests.unit.packs.guard_kit import decide


def told(file: str) -> list[tuple[str, str, str]]:
    parts = Path(__file__).with_name(file).read_text().split("### ")[1:]
    headed = [part.partition("\n") for part in parts]
    return [(*head.partition(" ")[::2], text.strip("\n")) for head, _, text in headed]  # type: ignore[misc]


def chosen(file: str, verdict: str) -> pytest.MarkDecorator:
    found = [(about, text) for says, about, text in told(file) if says == verdict]
    assert found
    return pytest.mark.parametrize(("about", "text"), found, ids=[about for about, _ in found])


@chosen("python_programs.txt", "stops")
def test_a_python_program_that_does_harm_is_stopped(about: str, text: str) -> None:
    assert decide(f"python3 - <<'END'\n{text}\nEND").objects, about


@chosen("python_programs.txt", "stops")
def test_it_is_stopped_as_well_when_it_is_written_to_a_file_and_run(about: str, text: str) -> None:
    assert decide(f"cat > /tmp/task.py <<'END'\n{text}\nEND\npython3 /tmp/task.py").objects, about


@chosen("python_programs.txt", "passes")
def test_a_python_program_that_only_looks_alike_passes(about: str, text: str) -> None:
    assert not decide(f"python3 - <<'END'\n{text}\nEND").objects, about


@chosen("shell_lines.txt", "stops")
def test_a_line_that_does_harm_is_stopped(about: str, text: str) -> None:
    assert decide(text).objects, about


@chosen("shell_lines.txt", "passes")
def test_a_line_that_only_looks_alike_passes(about: str, text: str) -> None:
    assert not decide(text).objects, about
