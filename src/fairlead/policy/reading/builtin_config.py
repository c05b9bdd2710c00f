"""What `config` of each built-in takes. A key that nobody reads would be a wish that nobody grants."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.model.matching.bounded_pattern import checked
from fairlead.policy.reading.document import Marked
from fairlead.policy.reading.report import Report, read_fields
from fairlead.policy.reading.schema import FLAG, LIST, MAPPING, NUMBER, TEXT, Key

Config = Mapping[str, Key]

_GUARD: Config = {
    "level": Key((TEXT,), "level: strict", ("standard", "strict", "paranoid"), "how much is asked about"),
    "follow": Key(
        (TEXT,),
        "follow: all",
        ("written", "all", "none"),
        "which files that a call would run are judged in full",
    ),
    "packs": Key(
        (MAPPING,),
        "packs: {disable: [ci]}",
        meaning="packs to `enable`, of `plugins`; packs or rules to `disable`, `audit`, `enforce`",
    ),
    "dangerous_patterns": Key(
        (LIST,), 'dangerous_patterns: ["terraform destroy"]', meaning="regular expressions for commands"
    ),
    "protected_patterns": Key(
        (LIST,), 'protected_patterns: ["infra/**"]', meaning="globs for paths that no tool may touch"
    ),
    "remember": Key((NUMBER,), "remember: 3", meaning="days for which earlier calls of a session count"),
}
_SAVING: Config = {
    "recoverable": Key(
        (TEXT, MAPPING),
        "recoverable: {git/reset-hard: pass}",
        meaning="`pass`, `ask` or `block`, of all or by rule: what becomes of a loss that was saved first",
    ),
    "save": Key((FLAG,), "save: true", meaning="save also what no rule objects to before it is lost"),
}
_USAGE: Config = {"state_dir": Key((TEXT,), "state_dir: ~/usage", meaning="where usage is kept")}

_RESULTS: Config = {
    "except": Key((LIST,), "except: [Read]", meaning="tools whose results are left as they are")
}

CONFIGS: Mapping[str, Config] = {
    "validate-tool-inputs": {},
    "block-dangerous-commands": {**_GUARD, **_SAVING},
    "protect-sensitive-files": _GUARD,
    "keep-hooks-on": {},
    "guard-server-requests": {
        "except": Key((LIST,), "except: [jira]", meaning="servers whose requests are not looked at")
    },
    "approve-safe-operations": {
        "commands": Key(
            (LIST,), 'commands: ["npm test"]', meaning="what is approved, as under `approve` of a file"
        )
    },
    "enforce-budget": {
        "tokens": Key((NUMBER,), "tokens: 2000000", meaning="the most that may be used"),
        "usd": Key((NUMBER,), "usd: 20", meaning="the most that may be spent"),
        "per": Key((TEXT,), "per: day", ("session", "day"), "what the budget is for"),
        "decision": Key((TEXT,), "decision: ask", ("ask", "block"), "the answer when it is used up"),
        "prices": Key((MAPPING,), "prices: {gpt: {input: 2, output: 8}}", meaning="USD per million tokens"),
        **_USAGE,
    },
    "apply-rule": {},
    "remove-secrets-from-results": _RESULTS,
    "flag-instructions-in-results": _RESULTS,
    "log-operations": {"log_file": Key((TEXT,), "log_file: logs/calls.jsonl", meaning="where it writes")},
    "emit-metrics": {
        "statsd_host": Key((TEXT,), "statsd_host: localhost", meaning="where metrics go"),
        "statsd_port": Key((NUMBER,), "statsd_port: 8125", meaning="its port"),
        "prefix": Key((TEXT,), "prefix: fairlead", meaning="before each name"),
        "tags": Key((TEXT,), "tags: datadog", ("datadog",), "the form of tags"),
    },
    "track-token-usage": _USAGE,
    "debug-tracer": {"trace_file": Key((TEXT,), "trace_file: trace.log", meaning="where it writes")},
}
"""By name; a test holds this table and the built-ins together."""


def check_config(builtin: str, config: Marked, report: Report) -> None:
    """Reports what a built-in would not read, or not understand."""
    fields, _ = read_fields(config, CONFIGS[builtin], report)
    if builtin == "protect-sensitive-files" and "packs" in fields:
        _check_no_plugins(fields["packs"], report)
    if "recoverable" in fields:
        _check_recoverable(fields["recoverable"], report)
    for name in ("dangerous_patterns", "protected_patterns"):
        for item in fields[name].items if name in fields else ():
            if item.kind != TEXT:
                report.add(item, f"{name!r} takes texts", f"for example {CONFIGS[builtin][name].example}")
            elif name == "dangerous_patterns":
                _check_expression(item, report)


def _check_recoverable(said: Marked, report: Report) -> None:
    for word in [value for _, value in said.pairs] if said.kind == MAPPING else [said]:
        if word.value not in ("pass", "ask", "block"):
            report.add(word, f"'recoverable' cannot be {word.value!r}", "use pass, ask or block")


def _check_no_plugins(packs: Marked, report: Report) -> None:
    """It judges by the packs for secrets and for Fairlead itself, and would never ask another."""
    for key, _ in packs.pairs:
        if key.value == "plugins":
            report.add(key, "this guard asks no packs of plugins", "name them at block-dangerous-commands")


def _check_expression(item: Marked, report: Report) -> None:
    try:
        checked(str(item.value))
    except re.error as error:
        hint = "escape what is meant literally, as in 'rm \\(x\\)'"
        report.add(item, f"{str(item.value)[:60]!r} is no regular expression: {error}", hint)
