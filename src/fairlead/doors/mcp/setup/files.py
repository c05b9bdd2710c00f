"""The files of clients on disk: each is read anew, changed in one step, and never over somebody's change."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from fairlead.doors.mcp.setup.clients import ServerFile, known_clients
from fairlead.doors.mcp.setup.launches import Server, head_of, names_in_file
from fairlead.doors.mcp.setup.ledger import Kept, ServerLedger, mark_of
from fairlead.doors.mcp.setup.wrapping import Config, read_config, unwrapped, wrapped
from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings import files

BACKUP = ".before-fairlead-mcp"
_ATTEMPTS = 3
_NOTHING = "nothing was changed"


class Changed(Value):
    """A file before and after."""

    file: ServerFile
    before: bytes
    after: bytes
    config: Config
    """As it was before."""

    @property
    def anything(self) -> bool:
        return self.before != self.after


def look_into(file: ServerFile) -> tuple[bytes, Config]:
    """Raises SettingsError, with the file's name, for what cannot be understood or should not be followed."""
    _refuse_link(file)
    content = files.read(file.path)
    if content is None:
        raise SettingsError(f"{file.path} is gone", hint=_NOTHING)
    return content, _understood(file, content)


def _understood(file: ServerFile, content: bytes) -> Config:
    try:
        return read_config(file.path, files.text_of(content, file.path), file.client)
    except SettingsError as error:
        raise _of_file(file, error) from None


def _of_file(file: ServerFile, error: SettingsError) -> SettingsError:
    named = error.message if error.message.startswith(file.path) else f"{file.path}:{error.message}"
    return SettingsError(named, hint=error.hint or "mend the file; nothing was changed")


def _refuse_link(file: ServerFile) -> None:
    """A person's own link, as of a repository of settings, is followed; a project's may lead anywhere."""
    if file.scope == "project" and os.path.islink(file.path):
        hint = f"wrap the servers in {os.path.realpath(file.path)} by hand, if that is what you want"
        raise SettingsError(f"{file.path} is a link", hint=hint)


def planned(file: ServerFile, command: Sequence[str]) -> Changed:
    """What `install` would do."""
    content, config = look_into(file)
    try:
        text = wrapped(config, command, names_for(file))
    except SettingsError as error:
        raise _of_file(file, error) from None
    return Changed(file, content, text.encode(), config)


def names_for(file: ServerFile) -> Callable[[Server], list[str]]:
    """The variables that an entry names, and those of the file of variables that it names."""

    def names(server: Server) -> list[str]:
        return [*server.environment, *(names_in_file(_variables_of(file, server)))]

    return names


def _variables_of(file: ServerFile, server: Server) -> str:
    path = variables_path(file, server)
    if not path or "${" in path:
        return ""
    content = files.read(path)
    return "" if content is None else files.text_of(content, path)


def variables_path(file: ServerFile, server: Server) -> str:
    """Where the file of variables is; empty where the entry names none."""
    key = file.client.shape.env_file
    found = server.entry.child(key) if key else None
    if found is None or not isinstance(found.value, str):
        return ""
    named = found.value.replace("${workspaceFolder}", file.project if file.scope == "project" else "${}")
    return named if "${" in named or os.path.isabs(named) else os.path.join(file.project, named)


def wrap_file(file: ServerFile, ledger: ServerLedger, command: Sequence[str]) -> Changed:
    """Makes it so on disk. Who else writes the file at the same moment is waited for, twice."""
    return _again(lambda: _wrap_once(file, ledger, command))


def _again(step: Callable[[], Changed]) -> Changed:
    for _ in range(_ATTEMPTS - 1):
        try:
            return step()
        except files.ChangedMeanwhileError:
            continue
    return step()


def _wrap_once(file: ServerFile, ledger: ServerLedger, command: Sequence[str]) -> Changed:
    change = planned(file, command)
    known = ledger.files.get(file.path)
    untouched = known is not None and known.is_untouched(change.before)
    bare = known.before if known is not None and untouched else _bare(file, change.config, known)
    if change.anything:
        files.keep_backup(file.path, bare, suffix=BACKUP)
        files.replace(file.path, change.before, change.after)
    config = _understood(file, change.after)
    servers = tuple(server.pointer for server in config.servers if has_door(server))
    if servers:
        ledger.keep(Kept(file.path, file.client.id, file.scope, bare, mark_of(change.after), servers))
    return change


def has_door(server: Server) -> bool:
    return server.launch is not None and head_of(server.launch.words) is not None


def _bare(file: ServerFile, config: Config, known: Kept | None) -> bytes:
    """The file without any door, as `uninstall` would leave it."""
    try:
        return unwrapped(config, _had_args(file, known)).encode()
    except SettingsError as error:
        raise _of_file(file, error) from None


def _had_args(file: ServerFile, known: Kept | None) -> Callable[[Server], bool]:
    """From the file as it was; where that is not known, an empty list does no harm."""
    before = {} if known is None else {s.pointer: s for s in _understood(file, known.before).servers}

    def had(server: Server) -> bool:
        was = before.get(server.pointer)
        return was is None or was.launch is None or was.launch.args is not None

    return had


def unwrap_file(file: ServerFile, ledger: ServerLedger) -> Changed:
    """Every byte as it was, if nobody has touched the file since; else the door alone is taken out."""
    return _again(lambda: _unwrap_once(file, ledger))


def _unwrap_once(file: ServerFile, ledger: ServerLedger) -> Changed:
    content, config = look_into(file)
    known = ledger.files.get(file.path)
    untouched = known is not None and known.is_untouched(content)
    bare = known.before if known is not None and untouched else _bare(file, config, known)
    if bare != content:
        files.replace(file.path, content, bare)
    files.drop_backup(file.path, suffix=BACKUP)
    ledger.forget(file.path)
    return Changed(file, content, bare, config)


def files_in(ledger: ServerLedger, project: str) -> list[ServerFile]:
    """The files that the ledger knows, wherever they are."""
    known = known_clients()
    return [
        ServerFile(known[kept.client], "project" if kept.scope == "project" else "user", kept.path, project)
        for kept in ledger.files.values()
        if kept.client in known
    ]
