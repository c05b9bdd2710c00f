"""Every example of docs/library.md and docs/hook-system.md runs, in order, as a reader would try it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def run_examples(page: str, wanted: int) -> dict[str, object]:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == wanted
    names: dict[str, object] = {}
    for number, block in enumerate(blocks, start=1):
        exec(compile(block, f"docs/{page}, example {number}", "exec"), names)
    return names


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRLEAD_HOME", str(tmp_path / "home"))


def test_the_examples_of_the_library_page_run() -> None:
    run_examples("library.md", 7)


def test_the_examples_of_the_hook_systems_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    from fairlead.hooks import Decision, ProcessedHookResult

    result = run_examples("hook-system.md", 2)["result"]
    assert isinstance(result, ProcessedHookResult)
    assert result.aggregated.verdict.decision is Decision.BLOCK
    assert "'correlationId': 'req-1'" in capsys.readouterr().out
