"""Findings that were there before: known by what stands in the line, wherever the line has moved."""

from __future__ import annotations

import json
from collections.abc import Iterable

from fairlead.errors import UsageError
from fairlead.scan.finding import Finding

_VERSION = 1
_LARGEST = 16 * 1024 * 1024


def read_baseline(path: str) -> frozenset[str]:
    """The fingerprints that it holds."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.loads(file.read(_LARGEST))
        if value["version"] != _VERSION:
            raise ValueError(f"version {value['version']!r} is not {_VERSION}")
        return frozenset(str(each["fingerprint"]) for each in value["findings"])
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint=_HINT) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(f"{path} is no baseline: {error}", hint=_HINT) from error


_HINT = "`fairlead scan --write-baseline FILE` makes one"


def baseline_text(findings: Iterable[Finding]) -> str:
    """One finding on each line, so that a person can read what changed."""
    rows = [
        json.dumps(
            {
                "fingerprint": each.fingerprint,
                "path": each.path,
                "rule": each.rule,
                "text": " ".join(each.source.split())[:200],
            },
            ensure_ascii=False,
        )
        for each in findings
    ]
    inside = ",\n".join(f"    {row}" for row in rows)
    return f'{{\n  "version": {_VERSION},\n  "findings": [\n{inside}\n  ]\n}}\n'
