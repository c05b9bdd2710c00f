"""A throw-away home and project for one agent, with the user's hook settings in them and nothing else.

No sign-in, no key and no server of the user's is copied, so none can be used. Hooks of others keep their
place and shape, since one that is wrong can take its neighbours with it, but run `true`.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping

from fairlead.dialects.installs import Client, Site, changes_for
from fairlead.dialects.switches import switch_files
from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings import files
from fairlead.settings.json_edit import MARK
from fairlead.settings.json_text import parse

Document = Mapping[str, object]
_COMMANDS = ("command", "bash", "powershell")


class Stage(Value):
    """Where the agent runs. `url` is the address of its model."""

    base: str
    url: str

    @property
    def home(self) -> str:
        return os.path.join(self.base, "home")

    @property
    def project(self) -> str:
        return os.path.join(self.base, "project")

    @property
    def temporary(self) -> str:
        return os.path.join(self.base, "tmp")

    def site(self, scope: str) -> Site:
        return Site(self.home, self.project, {}, scope)


def set_up(
    stage: Stage,
    agent: str,
    *,
    site: Site,
    client: Client,
    keeps: Callable[[str], bool],
    settings: Mapping[str, Document],
) -> None:
    """Copies what `keeps` keeps of the user's settings, and lays `settings` (by path) over it."""
    for folder in (stage.home, stage.project, stage.temporary):
        os.makedirs(folder)
    copies = dict(_copies(stage, agent, site, client))
    for source, target in copies.items():
        content = files.read(source)
        if content is not None:
            _write(target, _moved(_filtered(source, content, keeps), copies), like=source)
    for path, document in settings.items():
        _lay_over(path, document)


def _copies(stage: Stage, agent: str, site: Site, client: Client) -> Iterator[tuple[str, str]]:
    """Each file of the user's that matters, and where it stands for the agent that is tried."""
    for scope in ("user", "project"):
        try:
            theirs = changes_for(agent, site.replace(scope=scope), client)
            ours = changes_for(agent, stage.site(scope), client)
        except SettingsError:
            continue  # it has no settings of that scope, or they cannot be read: `doctor` has said so
        for source, target in zip(theirs, ours, strict=True):
            yield source.path, target.path
    for name in switch_files(agent):
        yield os.path.join(site.project, name), os.path.join(stage.project, name)


def _filtered(path: str, content: bytes, keeps: Callable[[str], bool]) -> bytes:
    """What cannot be read is copied as it is: the agent shall show what it makes of it."""
    try:
        text = files.text_of(content, path)
        if path.endswith(".toml"):
            return _toml(_kept(tomllib.loads(text), keeps)).encode()
        if path.endswith(".json"):
            document = parse(text).value
            kept = _kept(document, keeps) if isinstance(document, dict) else document
            return (json.dumps(kept, indent=2) + _remark(text)).encode()
    except (SettingsError, ValueError):
        pass
    return content


def _remark(text: str) -> str:
    """A file with comments stays one: not every agent reads them."""
    try:
        json.loads(text)
    except ValueError:
        return "\n// there are comments in this file\n"
    return "\n"


def _kept(document: Document, keeps: Callable[[str], bool]) -> Document:
    return {key: _muted(value) if key == "hooks" else value for key, value in document.items() if keeps(key)}


def _muted(value: object) -> object:
    """Commands that are not ours become `true`; handlers that run no command are left out."""
    if isinstance(value, list):
        return [_muted(item) for item in value if not _calls_out(item)]
    if not isinstance(value, dict) or any(MARK in value[key] for key in _COMMANDS if _has_text(value, key)):
        return value
    kept = {key: _muted(inner) for key, inner in value.items()}
    commands = {key: "true" for key in _COMMANDS if _has_text(value, key)}
    if commands:
        kept.pop("args", None)
    return kept | commands


def _has_text(value: Mapping[str, object], key: str) -> bool:
    return isinstance(value.get(key), str)


def _calls_out(item: object) -> bool:
    return isinstance(item, dict) and item.get("type") in ("http", "prompt", "agent", "mcp_tool", "function")


def _moved(content: bytes, copies: Mapping[str, str]) -> bytes:
    """Codex's record of a review names the file that was reviewed."""
    for source, target in copies.items():
        content = content.replace(os.path.realpath(source).encode(), os.path.realpath(target).encode())
    return content


def _lay_over(path: str, document: Document) -> None:
    under: Document = {}
    content = files.read(path)
    if content is not None:
        text = files.text_of(content, path)
        under = tomllib.loads(text) if path.endswith(".toml") else parse(text).value  # type: ignore[assignment]
    merged = _merged(under, document)
    text = _toml(merged) if path.endswith(".toml") else json.dumps(merged, indent=2)
    _write(path, text.encode())


def _merged(under: object, over: Document) -> Document:
    kept = dict(under) if isinstance(under, Mapping) else {}
    for key, value in over.items():
        kept[key] = _merged(kept.get(key), value) if isinstance(value, Mapping) else value
    return kept


def _toml(document: Document) -> str:
    return "".join(f"{json.dumps(key)} = {_toml_value(value)}\n" for key, value in document.items())


def _toml_value(value: object) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{json.dumps(key)} = {_toml_value(one)}" for key, one in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(_toml_value(one) for one in value)}]"
    return json.dumps(value if isinstance(value, str | bool | int | float) else str(value))


def _write(path: str, content: bytes, *, like: str = "") -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    if like:
        os.chmod(path, os.stat(like).st_mode & 0o700 | 0o600)
