"""`headers` of an entry: by name a text, or a mapping that says where the secret part comes from."""

from __future__ import annotations

import re

from fairlead.model.hook import Header
from fairlead.policy.reading.document import Marked
from fairlead.policy.reading.report import Report, read_fields
from fairlead.policy.reading.schema import MAPPING, TEXT, Key

_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_OURS = frozenset(("content-length", "content-type", "host", "transfer-encoding", "connection"))
_KEYS = {
    "text": Key((TEXT,), "text: 'Bearer '"),
    "env": Key((TEXT,), "env: GUARD_TOKEN"),
    "file": Key((TEXT,), "file: ~/.config/guard/token"),
}


def read_headers(given: Marked | None, report: Report) -> tuple[Header, ...]:
    found = (_header(key, value, report) for key, value in (given.pairs if given is not None else ()))
    return tuple(header for header in found if header is not None)


def _header(key: Marked, value: Marked, report: Report) -> Header | None:
    name = str(key.plain)
    if not _NAME.fullmatch(name) or name.lower() in _OURS:
        report.add(key, f"{name!r} cannot be a header of yours", "for example X-Team or Authorization")
        return None
    if value.kind == TEXT:
        return Header(name, str(value.value))
    if value.kind != MAPPING:
        report.add(value, f"header {name!r} must be text or a mapping", "{env: GUARD_TOKEN}")
        return None
    fields, written = read_fields(value, _KEYS, report)
    if ("env" in written) == ("file" in written):
        report.add(value, f"header {name!r} takes its secret from one place", "give `env` or `file`")
        return None
    texts = {field: str(marked.value) for field, marked in fields.items()}
    return Header(name, texts.get("text", ""), texts.get("env", ""), texts.get("file", ""))
