"""One project cannot use up the daemon that another project's calls depend on (law 13)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from installation import Installation, payload

pytestmark = pytest.mark.slow

_POLICY = """\
id: slow
event: PreToolUse
middleware:
  - id: block-dangerous-commands
    type: safety
    {key}
"""
_EXPLODING = {
    "pattern": 'config: {dangerous_patterns: ["(a|aa)+$"]}',
    "matcher": 'matcher: {arguments: {command: "/(a|aa)+$/"}}',
}


@pytest.mark.parametrize("where", _EXPLODING)
def test_law_13_a_pattern_of_an_untrusted_project_costs_only_that_projects_calls(
    installation: Installation, tmp_path: Path, where: str
) -> None:
    hooks = tmp_path / "hostile" / ".fairlead" / "hooks" / "x"
    hooks.mkdir(parents=True)
    (hooks / "hook.meta.yaml").write_text(_POLICY.format(key=_EXPLODING[where]))
    (tmp_path / "hostile" / ".git").mkdir()
    (tmp_path / "other" / ".git").mkdir(parents=True)
    slow = f"echo {'a' * 80}!"

    def call(number: int, project: str, command: str) -> bytes:
        sent = payload(command, session=f"{project}{number}", cwd=str(tmp_path / project))
        return installation.call(sent).stdout

    before = installation.warm_up()["calls"]
    with ThreadPoolExecutor(8) as pool:
        hostile = [pool.submit(call, number, "hostile", slow) for number in range(4)]
        others = [pool.submit(call, number, "other", "ls") for number in range(12)]
        assert [future.result() for future in others] == [b""] * 12
        answers = [json.loads(future.result() or b"{}") for future in hostile]
    facts = installation.daemon()
    assert facts is not None
    assert facts["calls"] - before == 16, "a call gave the daemon up and was answered cold"
    assert answers == [{}] * 4, "what such a project adds is left out where it breaks"
    told = [line["request"] for line in installation.records() if "takes too long" in json.dumps(line)]
    assert len(set(told)) == 4, "and it is on record"
