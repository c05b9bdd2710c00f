from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from fairlead.assembly import BUILTINS
from fairlead.policy.json_schema import SCHEMA_FILE, json_schema
from fairlead.policy.reading.builtin_config import CONFIGS
from fairlead.policy.reading.load import LoadedFile, load_file


def load(entry: str) -> LoadedFile:
    text = f"id: x\nevent: PreToolUse\nmiddleware:\n{textwrap.indent(textwrap.dedent(entry), '  ')}"
    return load_file(text.encode(), "hook.meta.yaml", layer="user")


def test_every_built_in_says_what_its_config_takes() -> None:
    assert set(CONFIGS) == set(BUILTINS)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("- {id: block-dangerous-commands, config: {levl: strict}}", "4:45: unknown key 'levl'"),
        ("- {id: block-dangerous-commands, config: {levl: strict}}", "did you mean 'level'?"),
        ("- {id: protect-sensitive-files, config: {dangerus_patterns: []}}", "'dangerous_patterns'"),
        ("- {id: block-dangerous-commands, config: {level: high}}", "'level' cannot be 'high'"),
        ("- {id: block-dangerous-commands, config: {level: 3}}", "'level' must be text"),
        ("- {id: block-dangerous-commands, config: {dangerous_patterns: ['(']}}", "no regular expression"),
        ("- {id: block-dangerous-commands, config: {dangerous_patterns: [1]}}", "takes texts"),
        ("- {id: block-dangerous-commands, config: {dangerous_patterns: x}}", "must be a list"),
        ("- {id: approve-safe-operations, config: {allow: [ls]}}", "unknown key 'allow'"),
        ("- {id: log-operations, config: {log_flie: x}}", "did you mean 'log_file'?"),
        ("- {id: enforce-budget, type: authorization, config: {per: week}}", "'per' cannot be 'week'"),
    ],
)
def test_what_a_built_in_would_not_read_is_an_error_where_it_stands(entry: str, said: str) -> None:
    loaded = load(entry)
    assert said in "\n".join(map(str, loaded.problems))
    assert not any(entry.broken is None for entry in loaded.entries)


@pytest.mark.parametrize(
    "entry",
    [
        "- {id: block-dangerous-commands, config: {level: strict, packs: {disable: [ci]}}}",
        "- {id: block-dangerous-commands, config: {dangerous_patterns: ['terraform (?!plan)']}}",
        "- {id: block-dangerous-commands, type: safety, path: mine.py, config: {anything: 1}}",
        "- {id: my-own, type: safety, path: mine.py, config: {levl: 1}}",
        "- {id: emit-metrics, config: {statsd_host: h, statsd_port: 8125, tags: datadog}}",
    ],
)
def test_what_is_read_is_no_problem(entry: str) -> None:
    assert load(entry).problems == ()


def test_the_schema_in_the_package_is_the_one_that_is_made() -> None:
    assert json.loads(Path(SCHEMA_FILE).read_text(encoding="utf-8")) == json_schema()
