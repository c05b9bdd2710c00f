"""The official client gets the same answers through the door as without it, in both eras.

What a server answers is compared as the client understood it, errors and their numbers included.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="`make test-mcp` has the official client and the servers")

import anyio
import test_inspector
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from real_servers import COMMON, OWN

from mcp_real_servers import prepare, vector

PAGE = Path(__file__).parents[2] / "docs" / "mcp.md"
_CLOCK = re.compile(r"\d+:\d\d:\d\d [AP]M")
EVERY = [(name, mode) for name in OWN for mode in ("legacy", "auto")]


@pytest.mark.parametrize(("name", "mode"), EVERY)
def test_the_answers_are_the_same_with_and_without_the_door(name, mode, tmp_path):
    bare = answers(name, mode, tmp_path / "bare", door=False)
    wrapped = answers(name, mode, tmp_path / "wrapped", door=True)
    assert set(bare) == {*COMMON, *OWN[name]}
    for case, answer in bare.items():
        assert wrapped[case] == answer, case


def test_the_page_about_the_door_lists_every_case():
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text("utf-8").splitlines() if ";" in line]
    listed = {row[0]: [cell.split("; ") for cell in row[1:]] for row in rows}
    assert [set(listed["each"][0]), *(set(listed[name][0]) for name in OWN)] == list(
        map(set, (COMMON, *OWN.values()))
    )
    for name, cases in test_inspector.OWN.items():
        assert set(listed[name][1]) == set(cases)


def answers(name, mode, top, *, door):
    """By case, as text; folders are named alike."""
    project = top / "project"
    project.mkdir(parents=True)
    prepare(project)
    words = vector(name, project)
    environment = {"MEMORY_FILE_PATH": str(top / "memory.jsonl")}
    if door:
        options = ["--home", str(top / "home"), "mcp", "--name", name, "--env", "MEMORY_FILE_PATH"]
        words = [sys.executable, "-m", "fairlead", *options, "--", *words]
    parameters = StdioServerParameters(command=words[0], args=words[1:], env=environment, cwd=str(project))
    got = anyio.run(_ask, name, mode, parameters, project)
    return {case: _CLOCK.sub("NOW", answer.replace(str(top), "TOP")) for case, answer in got.items()}


async def _ask(name, mode, parameters, project):
    got = {}
    with open(project.parent / "stderr", "w") as errors:
        async with Client(
            stdio_client(parameters, errlog=errors), mode=mode, cache=None, read_timeout_seconds=60
        ) as client:
            for case, ask in {**COMMON, **OWN[name]}.items():
                got[case] = await _answer(ask, client, project)
    return got


async def _answer(ask, client, project):
    try:
        return _shown(await ask(client, project))
    except MCPError as error:
        return f"error {error.code}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _shown(value):
    return json.dumps(value, default=_plain, sort_keys=True, ensure_ascii=False)


def _plain(value):
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else repr(value)
