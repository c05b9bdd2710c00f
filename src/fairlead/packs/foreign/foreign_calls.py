"""Calls of tools that no agent ships: what an MCP server does with paths, statements and code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fairlead.model.facts import PathFact, quoted
from fairlead.model.tool_call import PATH_KEYS, ToolCall, ToolKind
from fairlead.packs.foreign.foreign_code import page_effects, run_as_code
from fairlead.packs.foreign.foreign_deeds import done_in_the_world
from fairlead.packs.foreign.foreign_exports import sent_on
from fairlead.packs.foreign.foreign_hosts import changed_at_host
from fairlead.packs.foreign.foreign_messages import told_passwords
from fairlead.packs.foreign.foreign_names import given_of, lost_by_name, words_of
from fairlead.packs.foreign.foreign_paths import SAYING, changed_rights, paths_anywhere
from fairlead.packs.foreign.foreign_programs import run_by_name, run_line
from fairlead.packs.foreign.foreign_secrets import shown_by_name
from fairlead.packs.foreign.given_texts import given_texts, key_of
from fairlead.packs.foreign.sent_documents import documents_sent
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.metadata_addresses import asks_for_machine_keys
from fairlead.shell.effects.network.told_addresses import is_nameless
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_LOOKING = names("info stat stats exists metadata size list tree")
_FILE_SERVERS = names("filesystem files file fs desktop commander serena jetbrains ide workspace editor")
_VERBS = {
    Action.DELETE: names("delete remove rm unlink rmdir trash"),
    Action.MOVE_AWAY: names("move rename mv"),
    Action.TRUNCATE: names("truncate"),
    Action.WRITE: names("write edit create append save update replace insert touch put overwrite"),
}
_FROM = ("source", "src", "from", "old_path", "oldPath", "source_path")
_TO = ("destination", "dest", "dst", "to", "new_path", "newPath", "destination_path")
_STATEMENTS = (
    *("sql", "statement", "statements", "ddl", "sql_query", "sqlQuery", "sqlStatements", "sql_statements"),
)
_NESTED = names("sql statement statements ddl sqlquery sqlstatements")
"""The same as keys are compared deeper down."""
_DATABASES = lazy(
    r"sql|postgres|maria|duckdb|bigquery|snowflake|clickhouse|database|redshift|cockroach|supabase|neon|cassandra|_cql|trino|athena|spanner|(?:^|_)pg(?:_|$)|(?:^|_)db(?:_|hub|$)",
    re.IGNORECASE,
)
_EXPLAINING = lazy(r"^(?:explain|validate|format|lint|parse|check|estimate|dry_?run|preview)", re.IGNORECASE)
_RUNNING_STATEMENTS, _QUERIES = names("run execute exec query"), names("query q text statement input")
_LOSING = lazy(
    r"\s*(?:DELETE\s+FROM|DROP\s+\w+|TRUNCATE|UPDATE\s+\S+\s+SET|ALTER\s+\w+|GRANT)\s", re.IGNORECASE
)
_APEX = lazy(
    r"\bdelete\s*\[\s*select\b|\bdatabase\.(?:delete|emptyrecyclebin|merge)\s*\(|\bdelete\s+\w+\s*;",
    re.IGNORECASE,
)
_SALES = lazy(r"salesforce|sfdc|apex", re.IGNORECASE)
_FLUSHING = lazy(r"\bFLUSH(?:ALL|DB)\b", re.IGNORECASE)
_GRAPHS = lazy(r"neo4j|cypher|memgraph|falkor", re.IGNORECASE)


def action_on(call: ToolCall, fact: PathFact) -> Action:
    """What a foreign tool does with a path: by the shape of its input, then by its name."""
    if fact.operation == "write":
        return Action.OVERWRITE
    if not _is_local(call):
        return Action.READ
    words = {*words_of(call)[1], *re.findall(r"[a-z]+", str(call.input.get("operation", "")).lower())}
    found = next((action for action, verbs in _VERBS.items() if verbs & words), None)
    return found or (Action.LIST if _LOOKING & words else Action.READ)


_TREES = lazy(r"dir|folder|tree|recursive", re.IGNORECASE)


def deletes_trees(call: ToolCall) -> bool:
    """Whether a foreign tool takes folders with what is in them."""
    return bool(call.input.get("recursive") or _TREES.search(_name(call)))


def foreign_effects(call: ToolCall, cwd: str, where: Surroundings) -> Iterator[Effect]:
    """Moves, statements, code and what the tool's name says: all that the paths of the call do not say."""
    command = Command((), cwd)
    yield from _moves(call, command, where)
    yield from _named_otherwise(call, command, where)
    yield from _stated(call, command, where)
    yield from run_as_code(call, cwd, where)
    yield from lost_by_name(call, cwd)
    yield from shown_by_name(call, cwd)
    yield from changed_at_host(call, cwd)
    yield from done_in_the_world(call, cwd)
    yield from told_passwords(call, cwd)
    yield from sent_on(call, cwd)
    yield from documents_sent(call, cwd, where)
    yield from _installed(call, cwd)
    yield from run_by_name(call, cwd, where)
    yield from _requested(call, cwd, where)


_INSTALLING = names("install sideload load download fetch")
_RUNNING = names("run execute exec launch open start")
_ADDED = names(
    "extension plugin theme addon app apk ipa skill module profile integration server mcp component font driver"
)


def _installed(call: ToolCall, cwd: str) -> Iterator[Effect]:
    """What will run with the program that takes it in, from an address."""
    tool = words_of(call)[1]
    if _INSTALLING.isdisjoint(tool) or (_ADDED.isdisjoint(tool) and _RUNNING.isdisjoint(tool)):
        return
    for each in given_texts(call):
        if each.text.startswith(("http://", "https://", "git+", "ftp://")):
            what = f"{call.name} {each.text[:80]}"
            yield Effect(Action.CHANGE_PACKAGES, "install-from-address", Command((), cwd), what=what)
            return


_LONGEST_ADDRESS = 2000
_SEARCHING = names("elasticsearch opensearch elastic")


def _requested(call: ToolCall, cwd: str, where: Surroundings) -> Iterator[Effect]:
    """A request to an address, as the command that makes it."""
    for given in given_texts(call):
        if given.text.startswith(_OF_BROWSER):
            yield Effect(
                Action.READ_SECRET, "shown-by-tool", Command((), cwd), what=f"{call.name} {given.text[:80]}"
            )
        if given.key in _ADDRESSES and given.text.startswith("javascript:"):
            yield from page_effects(given.text, call, cwd)
        if asks_for_machine_keys(given.text[:_LONGEST_ADDRESS]) and given.key not in SAYING:
            yield Effect(
                Action.READ_SECRET, "metadata", Command((), cwd), what=f"{call.name} {given.text[:80]}"
            )
    yield from _handed_to_nobody(call, cwd)
    method, address = _method(call), call.input.get("url")
    path = call.input.get("path", call.input.get("endpoint"))
    if address is None and isinstance(path, str):
        address = _address_of(path, call)
    if isinstance(method, str) and isinstance(address, str):
        sent = call.input.get("body", call.input.get("data"))
        body = ("-d", sent) if isinstance(sent, str) and sent else ()
        yield from run_line(" ".join(map(quoted, ("curl", "-X", method.upper(), address, *body))), cwd, where)


_REQUESTING = names("http https rest fetch request requests api curl")
_METHODS = names("post put patch delete")
_BASES = ("base", "base_url", "baseUrl", "host", "origin", "server")


def _method(call: ToolCall) -> object:
    """As the call says, or as the tool of a server for requests is called."""
    stated = call.input.get("method", call.input.get("http_method"))
    server, tool = words_of(call)
    if stated is not None or _REQUESTING.isdisjoint((*server, *tool)):
        return stated
    return next((word for word in tool if word in _METHODS), None)


def _address_of(path: str, call: ToolCall) -> str | None:
    """What is asked for by a path alone."""
    base = next((held for key in _BASES if isinstance(held := call.input.get(key), str)), None)
    if base is not None:
        return f"{base.rstrip('/')}/{path.lstrip('/')}"
    return None if _SEARCHING.isdisjoint(words_of(call)[0]) else f"http://search:9200/{path.lstrip('/')}"


_OF_BROWSER = (
    "chrome://settings/passwords",
    "about:logins",
    "edge://settings/passwords",
    "brave://settings/passwords",
)
_ADDRESSES = names("url uri href address target webhookurl hookurl")
_BODIES = names("body data payload json content text form file")
_HANDING = names("post put send upload webhook request patch trigger")


def _handed_to_nobody(call: ToolCall, cwd: str) -> Iterator[Effect]:
    """Anything at all that is sent to a machine without a name, or where whoever asks reads what came in."""
    if _HANDING.isdisjoint((*words_of(call)[0], *words_of(call)[1])) or not any(
        key_of(key) in _BODIES for key in call.input
    ):
        return
    for given in given_texts(call):
        if given.key in _ADDRESSES and is_nameless(given.text):
            yield Effect(
                Action.SEND_DATA, "environment", Command((), cwd), what=f"{call.name} {given.text[:80]}"
            )
            return


def _named_otherwise(call: ToolCall, command: Command, where: Surroundings) -> Iterator[Effect]:
    """Paths under names that no table has."""
    known = frozenset(value for key in PATH_KEYS if isinstance(value := call.input.get(key), str))
    for action, path in paths_anywhere(call, known):
        target = resolve(Word(_expanded(path, where)), command, where)
        trees = action is Action.DELETE and deletes_trees(call)
        what = f"{call.name} {target.shown}"
        yield Effect(action, f"tool-{call.kind}", command, target, trees, what=what)
    for path in known:
        line = changed_rights(call, path)
        if line:
            yield from run_line(line, command.cwd or "/", where)


def said_text(call: ToolCall) -> str:
    """What a foreign tool is told, at any depth of its input: whom it tells that, nobody knows."""
    return "\n".join(given.text for given in given_texts(call))


def _name(call: ToolCall) -> str:
    return call.mcp_tool or call.name


def _is_local(call: ToolCall) -> bool:
    """A relative path may be one of a repository or a page elsewhere, unless the server is one of files."""
    if call.kind is ToolKind.OTHER or not _FILE_SERVERS.isdisjoint(words_of(call)[0]):
        return True
    return any(isinstance(v, str) and v.startswith(("/", "~", "file://")) for v in call.input.values())


_MOVING = lazy(r"move|rename|mv", re.IGNORECASE)
_COPYING = lazy(r"copy|cp", re.IGNORECASE)


def _moves(call: ToolCall, command: Command, where: Surroundings) -> Iterator[Effect]:
    moved = _MOVING.search(_name(call))
    if not moved and not _COPYING.search(_name(call)):
        return
    for keys, action in ((_FROM, Action.MOVE_AWAY if moved else Action.READ), (_TO, Action.OVERWRITE)):
        for key in keys:
            path = call.input.get(key)
            if isinstance(path, str) and path.startswith(("/", "~", "file://")):
                target = resolve(Word(_expanded(path, where)), command, where)
                yield Effect(action, f"tool-{call.kind}", command, target, what=f"{call.name} {target.shown}")


def _expanded(path: str, where: Surroundings) -> str:
    path = path.removeprefix("file://")
    return where.home + path[1:] if path == "~" or path.startswith("~/") else path


def _stated(call: ToolCall, command: Command, where: Surroundings) -> Iterator[Effect]:
    """Statements for a database server, unless it is only asked what they mean."""
    if _EXPLAINING.search("_".join(words_of(call)[1])):
        return
    at_database = bool(_DATABASES.search(call.name))
    keys = given_of(call) if at_database else _STATEMENTS
    deeper = (
        given.text
        for given in given_texts(call)
        if given.key in _NESTED or (at_database and given.key not in SAYING - {"text", "query", "q"})
    )
    told = given_texts(call) if not _RUNNING_STATEMENTS.isdisjoint(words_of(call)[1]) else ()
    losing = (given.text for given in told if given.key in _QUERIES and _LOSING.match(given.text))
    for text in dict.fromkeys((*_texts(call, keys), *deeper, *losing)):
        # only where a statement is given
        from fairlead.shell.effects.databases.sql_file_paths import files_of_statement, reads_accounts
        from fairlead.shell.effects.databases.sql_statements import sql_danger

        found = sql_danger(text)
        if found is not None:
            yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=call.name)
        if reads_accounts(text):
            yield Effect(Action.READ_SECRET, "read-secret", command, what=text.strip()[:120])
        yield from files_of_statement(text, command, where)
    for text in _texts(call, ("code", "apex", "script", "body")) if _SALES.search(call.name) else ():
        if _APEX.search(text):
            yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=text[:80], detail=call.name)
    for text in (
        _texts(call, ("script", "lua"))
        if "redis" in call.name.lower() or "valkey" in call.name.lower()
        else ()
    ):
        if _FLUSHING.search(text):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=call.name)
    for text in _texts(call, ("query", "cypher", "statement")) if _GRAPHS.search(call.name) else ():
        from fairlead.shell.effects.databases.database_clients import loses_graph

        if loses_graph(text):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=call.name)


def _texts(call: ToolCall, keys: Iterable[str]) -> Iterator[str]:
    """What the call has under these keys, alone or in a list."""
    values = given_of(call)
    for key in keys:
        given = values.get(key)
        if isinstance(given, str):
            yield given
        elif isinstance(given, list):
            yield from (text for text in given if isinstance(text, str))
