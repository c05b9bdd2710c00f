"""Statements that lose data: what is dropped, and whether something says which rows are changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.databases.sql_server_settings import changes_server
from fairlead.shell.lazy_pattern import lazy

_UNREAD = lazy(
    r"""(--[^\n]*|/\*(?:.*?\*/|.*)|(?:^|(?<=\s))\#(?![>-])[^\n]*)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`""",
    re.DOTALL,
)
"""Comments, and strings. A comment that is never closed reaches to the end: to look for its end from every
`/*` would take for ever."""
_RUN_COMMENT = lazy(r"/\*M?!\d*")
"""What MySQL reads in spite of the comment."""
_DROPS = lazy(
    r"^\s*(?:DROP\s+(?!TEMP|TABLE\s+(?:IF\s+EXISTS\s+)?\#\s*$)[A-Z_]+\b|TRUNCATE\b"
    r"|SELECT\s+(?:\w+\.)?(?:drop_chunks|drop_\w+|pg_drop_\w+)\s*\("
    r"|CREATE\s+OR\s+REPLACE\s+(?:DATABASE|SCHEMA)\b"
    r"|ALTER\s+TABLE\b.*\b(?:TRUNCATE|DROP(?!\s+(?:NOT\s+NULL|DEFAULT|EXPRESSION|IDENTITY)\b)"
    r"|(?<!ON )DELETE|SET\s+UNUSED|CLEAR\s+COLUMN)\b"
    r"|REASSIGN\s+OWNED|DETACH\s+DATABASE|RESET\s+MASTER|INSERT\s+OVERWRITE\b|(?:REMOVE|RM)\s+@"
    r"|PURGE\s+(?:BINARY|(?:DBA_)?RECYCLEBIN|TABLE|TABLESPACE)\b|VACUUM\b.*\bRETAIN\s+0\s+HOURS\b)",
    re.IGNORECASE | re.DOTALL,
)
"""A temporary table of SQL Server has a `#` before its name, which is all that `statements` leaves of it."""
_REPLACED = lazy(
    r"^\s*CREATE\s+OR\s+REPLACE\s+(?:TRANSIENT\s+)?TABLE\s+(?P<name>[\w.']+)\s.{0,2000}?"
    r"(?:\bFROM\s+(?P=name)(?![\w.]).*\b(?:WHERE|LIMIT|SAMPLE|QUALIFY|HAVING)\b|\bLIMIT\s+0\b|\bWHERE\s+(?:1\s*=\s*0|FALSE\b))",
    re.IGNORECASE | re.DOTALL,
)
"""By a part of itself, or by nothing: the other rows are gone."""
_PLANTS = lazy(
    r"\bINTO\s+(?:OUT|DUMP)FILE\s+['\"](?:/(?:etc|root|home|usr|var/(?:www|spool)|opt|srv)/|[^'\"]{1,300}\.(?:php|jspx?|aspx?|sh|so)['\"])"
    r"|\bCOPY\b.{1,300}\bTO\s+'(?:s3|gs|gcs|az|azure|https?)://",
    re.IGNORECASE,
)
"""A file that the server's machine will run, or where it looks for such."""
_DROPPED = lazy(r"\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?$", re.IGNORECASE)
_DROPS_LATER = lazy(
    r"(?:\n[ \t]*|\bIF\b.{1,200}?[\s)])(?:BEGIN\s+)?"
    r"(?:DROP\s+(?:TABLE|DATABASE|SCHEMA)|TRUNCATE\s+TABLE)\s+['\w\[]",
    re.IGNORECASE | re.DOTALL,
)
"""SQL Server wants no semicolon between statements, and a condition may stand before one."""
_CHANGES = lazy(
    r"\bDELETE\s+FROM\b|(?:^|[()])\s*UPDATE\s+.{1,120}?\bSET\b"
    r"|^\s*DELETE\s+(?!FROM\b)['\w.\[\]]+\s*(?:$|WHERE\b)|^\s*DELETE\s+(?!FROM\b)[\w.,\s*()]{1,80}?\sFROM\b"
    r"|^\s*MERGE\b.*\bTHEN\s+DELETE\b",
    re.IGNORECASE | re.DOTALL,
)
_WHERE = lazy(
    r"\bWHERE\b(.*?)(?:\b(?:RETURNING|ORDER\s+BY|LIMIT|OPTION|ALLOW)\b|$)", re.IGNORECASE | re.DOTALL
)
_EITHER = lazy(r"\bOR\b|\|\|", re.IGNORECASE)
_BOTH = lazy(r"\bAND\b|&&", re.IGNORECASE)
_ALWAYS = lazy(
    r"""(?:TRUE|NOT\s+FALSE|NOT\s+0|[1-9]\d*|(?P<same>[\w.]+)\s*(?:=|>=|<=)\s*(?P=same)|''\s*=\s*''|'%'\s+LIKE\s+'%'
    |(?P<left>\d+)\s*(?P<sign>[<>]=?|<>|!?=)\s*(?P<right>\d+)
    |[\w.]*id\s*(?:>=?|<>|!=)\s*-?[01]|[\w.]*id\s+IS\s+NOT\s+NULL|[\w.]*id\s+NOT\s+IN\s*\(-?[01]\)|[\w.]+\s+I?LIKE\s+'%'
    |[\w.]*(?:created|inserted|updated|modified)\w*\s*<=?\s*(?:now\s*\(\)|current_timestamp|getdate\s*\(\)|sysdate))""",
    re.IGNORECASE | re.VERBOSE,
)
_ACCESS = lazy(
    r"^\s*(?:GRANT\s+ALL|GRANT\s+.*\bSUPER|ALTER\s+(?:USER|ROLE)|CREATE\s+(?:USER|ROLE)\b.*SUPERUSER|COPY\b.*\bPROGRAM\b"
    r"|EXPORT\s+DATA\s+OPTIONS\b"
    r"|COPY\b.*(?:passw|pwd_hash|card_num|\bcvv|\bssn\b|secret|token|pg_shadow|pg_authid|iban).*\bTO\s+\S|COPY\s+INTO\s+\'\')",
    re.IGNORECASE | re.DOTALL,
)
_EXPLAINED = lazy(r"^\s*EXPLAIN\b(?!\s*\(?[^()]*\bANALY[ZS]E\b)", re.IGNORECASE)
"""A plan of a statement, which runs it only where it is told to analyze."""
_BUILT = lazy(
    r"\bEXECUTE\s+(?:format\()?'[^']*\b(?:DROP|TRUNCATE)\b|'\s*(?:DROP|TRUNCATE|DELETE\s+FROM)\s[^']*'[^;]{0,400}\\gexec\b",
    re.IGNORECASE,
)
"""Statements that a statement puts together and runs."""
_PASSING_TABLE = lazy(
    r"^\s*CREATE\s+(?:(?:GLOBAL|LOCAL)\s+)?TEMP(?:ORARY)?\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.]+)",
    re.IGNORECASE,
)
_CHANGED_TABLE = lazy(
    r"^\s*(?:DROP\s+TABLE(?:\s+IF\s+EXISTS)?|TRUNCATE(?:\s+TABLE)?|DELETE\s+FROM|UPDATE)\s+([\w.]+)",
    re.IGNORECASE,
)
_END = lazy(r";|^[ \t]*GO[ \t]*$", re.IGNORECASE | re.MULTILINE)
"""Of a statement, or of a batch of them for SQL Server."""
_BEGIN = lazy(
    r"\s*(?:BEGIN|START\s+TRANSACTION)(?:[\s,]+(?:TRAN|TRANSACTION|WORK|DEFERRED|IMMEDIATE|EXCLUSIVE|ISOLATION|LEVEL"
    r"|READ|WRITE|ONLY|COMMITTED|UNCOMMITTED|REPEATABLE|SERIALIZABLE|NOT|DEFERRABLE|WITH|CONSISTENT|SNAPSHOT))*\s*",
    re.IGNORECASE,
)
_ROLLBACK = lazy(r"\s*ROLLBACK(?:\s+(?:TRAN|TRANSACTION|WORK))?\s*", re.IGNORECASE)
_COMMIT = lazy(r"\s*(?:COMMIT|END)\b", re.IGNORECASE)
_COMPARE = {"=": "__eq__", "!=": "__ne__", "<>": "__ne__", "<": "__lt__", ">": "__gt__", "<=": "__le__"}


def statements(sql: str) -> Iterator[str]:
    """The statements of `sql`, without comments and with strings emptied."""
    for statement in _END.split(_UNREAD.sub(_emptied, _RUN_COMMENT.sub(" ", sql))):
        if statement.strip():
            yield statement


def _emptied(found: re.Match[str]) -> str:
    if found[1] is not None:
        is_name = found[1][0] == "#" and _DROPPED.search(
            found.string, max(0, found.start() - 60), found.start()
        )
        return " # " if is_name else " "
    return found[0] if found[0] == "'%'" else "''"


def sql_danger(sql: str) -> tuple[str, str] | None:
    """The first statement that loses data, and its name: drop, unbound, access."""
    lasting = list(_lasting(statements(sql)))
    if lasting and _BUILT.search(sql):
        return "drop", sql.strip()[:120]
    found: tuple[str, str] | None = None
    passing: set[str] = set()
    if _PLANTS.search(sql):
        found = "access", sql.strip()[:120]
    for statement in lasting:
        made = _PASSING_TABLE.match(statement)
        if made:
            passing.add(made[1].lower())
        if _EXPLAINED.match(statement) or _is_passing(statement, passing):
            continue
        name = _danger(statement)
        if name == "drop":
            return name, statement.strip()[:120]
        if name and found is None:
            found = name, statement.strip()[:120]
    return found


def _lasting(found: Iterator[str]) -> Iterator[str]:
    """Those that are not rolled back by the end of their transaction."""
    pending: list[str] | None = None
    for statement in found:
        if _BEGIN.fullmatch(statement):
            yield from pending or ()
            pending = []
        elif pending is None:
            yield statement
        elif _ROLLBACK.fullmatch(statement):
            pending = None
        elif _COMMIT.match(statement):
            yield from pending
            pending = None
        else:
            pending.append(statement)
    yield from pending or ()


def _is_passing(statement: str, passing: set[str]) -> bool:
    """Whether it changes a table that goes with the session anyway."""
    changed = _CHANGED_TABLE.match(statement)
    if changed is None:
        return False
    table = changed[1].lower()
    return table in passing or table.startswith(("temp.", "tmp.", "pg_temp."))


def _danger(statement: str) -> str:
    if _DROPS.match(statement) or _DROPS_LATER.search(statement) or _REPLACED.match(statement):
        return "drop"
    if _CHANGES.search(statement) and any(map(_is_unbound, _scopes(statement))):
        return "unbound"
    return "access" if _ACCESS.match(statement) or changes_server(statement) else ""


def _scopes(statement: str) -> Iterator[str]:
    """The text of each pair of parentheses and of the whole, without the pairs inside: a condition binds only
    the statement that it stands in. In place of a pair that always holds stands TRUE."""
    open_texts: list[list[str]] = [[]]
    for piece in re.split(r"([()])", statement):
        if piece == "(":
            open_texts.append([])
        elif piece == ")" and len(open_texts) > 1:
            inner = "".join(open_texts.pop())
            shown = f"({inner})" if inner in ("0", "1", "-1") else "()"
            open_texts[-1].append(" TRUE " if inner != "1" and _holds_always(inner) else shown)
            yield inner
        elif piece != ")":
            open_texts[-1].append(piece)
    for texts in open_texts:
        yield "".join(texts)


def _is_unbound(scope: str) -> bool:
    """Whether the scope changes rows, and nothing in it says which."""
    if not _CHANGES.search(scope):
        return False
    where = _WHERE.search(scope)
    return where is None or _holds_always(where[1])


def _holds_always(condition: str) -> bool:
    choices = _EITHER.split(condition)
    return any(all(_is_always(part) for part in _BOTH.split(choice)) for choice in choices)


def _is_always(condition: str) -> bool:
    found = _ALWAYS.fullmatch(condition.strip())
    if found is None or found["left"] is None:
        return found is not None
    left, right, sign = int(found["left"]), int(found["right"]), found["sign"]
    return left >= right if sign == ">=" else bool(getattr(left, _COMPARE[sign])(right))
