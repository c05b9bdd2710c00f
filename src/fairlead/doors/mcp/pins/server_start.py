"""A server that starts under a configured name, held against those that may."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping

from fairlead.doors.mcp.pins.fetched_commands import fetched_anew
from fairlead.doors.mcp.pins.item import FIRST_SIGHT
from fairlead.doors.mcp.pins.report import Notice, NoticeKind, server_refusal, shown
from fairlead.doors.mcp.pins.server_identity import FileContent, ServerIdentity, content_of
from fairlead.doors.mcp.pins.server_record import MOST_IDENTITIES, HistoryLine, KnownServer, ServerRecord
from fairlead.doors.mcp.pins.visible import in_one_line

Contents = Mapping[str, FileContent]


def started(
    record: ServerRecord,
    identity: ServerIdentity,
    *,
    asks_first: bool,
    at: str,
    kin: Callable[[], tuple[ServerRecord, ...]] = tuple,
) -> tuple[ServerRecord, list[Notice]]:
    """The record after this start, and what is to be told of it."""
    known = record.known(identity)
    if known is not None:
        return _again(record, known, at)
    if not record.servers and (elsewhere := kin()):
        known = elsewhere[0].known(identity)
        assert known is not None
        return with_server(record, identity, by=known.by, at=known.at), []
    if not record.servers and not asks_first:
        return _first(record, identity, at)
    if record.waiting == identity:
        return record, []
    text = server_refusal(record.key, known=bool(record.servers))
    what = "another command or program: held back" if record.servers else "seen, and held back"
    record = record.replace(waiting=identity).noted(
        HistoryLine(at, "the door", f"{spelled(identity)}: {what}")
    )
    return record, [Notice(NoticeKind.OTHER_SERVER, record.key.name, text, blocks=True)]


def _first(record: ServerRecord, identity: ServerIdentity, at: str) -> tuple[ServerRecord, list[Notice]]:
    line = HistoryLine(at, "the door", f"{spelled(identity)}: pinned at first sight")
    record = with_server(record, identity, by=FIRST_SIGHT, at=at).noted(line)
    fetched = fetched_anew(identity.command)
    if not fetched:
        return record, []
    text = f"MCP server {shown(record.key.name)}: {in_one_line(fetched)}"
    return record, [Notice(NoticeKind.UNPINNED, record.key.name, text)]


def with_server(record: ServerRecord, identity: ServerIdentity, *, by: str, at: str) -> ServerRecord:
    """With this server among those that may answer to the name; the oldest makes room."""
    known = KnownServer(identity, by, at, _contents(identity, {}))
    others = [each for each in record.servers if each.identity != identity]
    return record.replace(servers=(*others, known)[-MOST_IDENTITIES:], waiting=None)


def _again(record: ServerRecord, known: KnownServer, at: str) -> tuple[ServerRecord, list[Notice]]:
    contents = _contents(known.identity, known.contents)
    if contents == known.contents:
        return record, []
    servers = tuple(each.replace(contents=contents) if each is known else each for each in record.servers)
    record = record.replace(servers=servers)
    other = [path for path in contents if _digest(contents, path) != _digest(known.contents, path)]
    if not other:
        return record, []
    said = ", ".join(in_one_line(path) for path in other)
    text = f"MCP server {shown(record.key.name)}: {said} has other content than before"
    line = HistoryLine(at, "the door", f"other content: {said}")
    return record.noted(line), [Notice(NoticeKind.UPGRADED, record.key.name, text)]


def _contents(identity: ServerIdentity, known: Contents) -> dict[str, FileContent]:
    found = {path: content_of(path, known.get(path)) for path in identity.files}
    return {path: content for path, content in found.items() if content is not None}


def _digest(contents: Contents, path: str) -> str:
    return contents[path].digest if path in contents else ""


def spelled(identity: ServerIdentity) -> str:
    """For a person: what is started, and where the program is."""
    if identity.url:
        return in_one_line(identity.url)
    words = in_one_line(" ".join(map(shlex.quote, identity.command)))
    found = [path for path in identity.files if path not in identity.command]
    return f"{words} ({', '.join(map(in_one_line, found))})" if found else words
