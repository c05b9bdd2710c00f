"""The first decision of the command: where it runs at all."""

from __future__ import annotations

import sys

import pytest

from fairlead.__main__ import main


@pytest.mark.parametrize(("words", "code"), [(["hook", "claude"], 2), (["status"], 1), ([], 1)])
def test_on_windows_nothing_is_judged_and_a_hook_blocks(
    words: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "argv", ["fairlead", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    assert "WSL" in capsys.readouterr().err
