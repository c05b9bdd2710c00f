"""Codex's record that a hook was reviewed: a hash of its definition, in config.toml.

Any change of the command, the timeout or the matcher voids it, and Codex then skips the hook without a word.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping

from fairlead.settings import files
from fairlead.settings.change import JsonEntries, applied
from fairlead.settings.formats import toml_text
from fairlead.settings.formats.json_edit import MARK
from fairlead.settings.formats.json_text import parse, strings_in


def trust_block(hooks: JsonEntries, config: str) -> str:
    """For our handlers, as they will stand in the file: the place of each is part of its name.

    What our block in `config` says about other files stays: several projects share it.
    """
    document = parse(applied(hooks, files.read(hooks.path)).decode()).value
    events = document.get("hooks", {}) if isinstance(document, dict) else {}
    path = os.path.realpath(hooks.path)
    kept = {name: digest for name, digest in _kept(config) if not name.startswith(f"{path}:")}
    lines: list[str] = []
    for name, digest in sorted({**kept, **dict(_reviewed(path, events))}.items()):
        lines += [f"[hooks.state.{json.dumps(name)}]", f'trusted_hash = "{digest}"', ""]
    return "\n".join(lines)


def _kept(config: str) -> Iterator[tuple[str, str]]:
    content = files.read(config)
    block = toml_text.block_of(files.text_of(content, config)) if content is not None else ""
    states = tomllib.loads(block).get("hooks", {}).get("state", {})
    for name, state in states.items():
        yield name, str(state.get("trusted_hash", ""))


def _reviewed(path: str, events: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for event, groups in events.items():
        for at, group in enumerate(groups if isinstance(groups, list) else []):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for index, handler in enumerate(handlers if isinstance(handlers, list) else []):
                if any(MARK in text for text in strings_in(handler)):
                    label = _snake(event)
                    yield f"{path}:{label}:{at}:{index}", _digest(label, handler, group.get("matcher"))


def _digest(label: str, handler: Mapping[str, object], matcher: object) -> str:
    shown: dict[str, object] = {"event_name": label, "hooks": [{"async": False, **handler}]}
    if matcher is not None:
        shown["matcher"] = matcher
    text = json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _snake(event: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event).lstrip("_")
