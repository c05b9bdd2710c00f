"""A throw-away home and project for one agent, with the user's hook settings in them and nothing else.

No sign-in, no key and no server of the user's is copied, so none can be used. Hooks of others keep their
place and shape, since one that is wrong can take its neighbours with it, but run `true`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping

from fairlead.dialects.setup.installs import every_change
from fairlead.dialects.setup.off_switches import switch_files
from fairlead.dialects.setup.site import Client, Site
from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings import files
from fairlead.settings.change import Change, JsonEntries, OwnFile
from fairlead.settings.formats.document import document_of
from fairlead.settings.formats.json_edit import Included
from fairlead.settings.formats.json_text import strings_in

Document = Mapping[str, object]
_COMMANDS = ("command", "bash", "powershell")
_ABOUT_HOOKS = frozenset({"hooks", "hooksConfig", "hooksDisabled", "disableAllHooks", "features", "version"})


def about_hooks(key: str) -> bool:
    """Whether a part of a settings file, by its name at the top, says which hooks run."""
    return key in _ABOUT_HOOKS


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
    """Copies what `keeps` keeps of the user's settings, and lays `settings` (by path) over it.

    Of a project's, which may be anybody's, only what is about hooks.
    """
    for folder in (stage.home, stage.project, stage.temporary):
        os.makedirs(folder)
    changes = dict(_changes(stage, agent, site, client))
    copies = {change.path: target for target, change in changes.items()}
    copies |= {
        os.path.join(site.project, name): os.path.join(stage.project, name) for name in switch_files(agent)
    }
    ours = frozenset(text for change in changes.values() for text in _texts(change))
    for source, target in copies.items():
        content = files.read(source)
        if content is None:
            continue
        kept = _filtered(target, content, about_hooks if target.startswith(stage.project) else keeps, ours)
        if kept is not None:
            _write(target, _moved(kept, copies))
    for path, document in settings.items():
        _lay_over(path, document)


def _changes(stage: Stage, agent: str, site: Site, client: Client) -> Iterator[tuple[str, Change]]:
    """What `install` may write, by where it stands for the agent that is tried."""
    for scope in ("user", "project"):
        try:
            theirs = every_change(agent, site.replace(scope=scope), client)
            tried = every_change(agent, stage.site(scope), client)
        except SettingsError:
            continue  # it has no settings of that scope, or they cannot be read: `doctor` has said so
        for change, target in zip(theirs, tried, strict=True):
            yield target.path, change


def _texts(change: Change) -> Iterator[str]:
    """Every text that is ours, word for word: a foreign command that only names us is not."""
    if isinstance(change, JsonEntries):
        for edit in change.edits:
            yield from strings_in(list(edit.texts) if isinstance(edit, Included) else edit.value)
    elif isinstance(change, OwnFile):
        text = change.content.decode()
        yield text
        if change.path.endswith(".json"):
            yield from strings_in(json.loads(text))
    else:
        yield from strings_in(document_of(change.block, change.path))


def _filtered(path: str, content: bytes, keeps: Callable[[str], bool], ours: frozenset[str]) -> bytes | None:
    """None for what cannot be read, and for a program that is not ours to the last byte."""
    try:
        text = files.text_of(content, path)
        document = document_of(text, path) if path.endswith((".toml", ".json")) else None
        if path.endswith(".toml") and isinstance(document, dict):
            return _toml(_kept(document, keeps, ours)).encode()
        if path.endswith(".json"):
            kept = _kept(document, keeps, ours) if isinstance(document, dict) else document
            return (json.dumps(kept, indent=2) + _remark(text)).encode()
    except (SettingsError, ValueError):
        return None
    return content if text in ours else None


def _remark(text: str) -> str:
    """A file with comments stays one: not every agent reads them."""
    try:
        json.loads(text)
    except ValueError:
        return "\n// there are comments in this file\n"
    return "\n"


def _kept(document: Document, keeps: Callable[[str], bool], ours: frozenset[str]) -> Document:
    return {
        key: _muted(value, ours) if key == "hooks" or isinstance(value, list) else value
        for key, value in document.items()
        if keeps(key)
    }


def _muted(value: object, ours: frozenset[str]) -> object:
    """Commands that are not ours become `true`; handlers that run no command are left out."""
    if isinstance(value, list):
        return [_muted(item, ours) for item in value if not _calls_out(item)]
    if not isinstance(value, dict):
        return value
    kept = {key: _muted(inner, ours) for key, inner in value.items()}
    foreign = {key: "true" for key in _COMMANDS if _has_text(value, key) and value[key] not in ours}
    if foreign:
        kept.pop("args", None)
    return kept | foreign


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
        found = document_of(files.text_of(content, path), path)
        under = found if isinstance(found, dict) else {}
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


def _write(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
