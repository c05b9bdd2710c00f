"""Files that a database client is told to read and write by its statements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word

_LONGEST = 8192
_READS = lazy(
    r"(?:\\copy|\bcopy)\s[^;]{0,200}?\bfrom\s+'([^']+)'|\binfile\s+'([^']+)'"
    r"|\b(?:pg_read_(?:binary_)?file|readfile|load_file|pg_ls_dir|read_text|read_blob|read_csv(?:_auto)?)\s*\(\s*'([^']+)'"
    r"|\battach\s+(?:database\s+)?'([^']+)'|^\s*\.(?:import|read)\s+(\S+)",
    re.IGNORECASE | re.MULTILINE,
)
_WRITES = lazy(
    r"(?:\\copy|\bcopy)\s[^;]{0,200}?\bto\s+'([^']+)'|\binto\s+(?:out|dump)file\s+'([^']+)'"
    r"|\bwritefile\s*\(\s*'([^']+)'|\bvacuum\s+into\s+'([^']+)'|^\s*\.(?:output|once|save|backup)\s+(\S+)",
    re.IGNORECASE | re.MULTILINE,
)


_LOOKS = lazy(r"\bselect\b", re.IGNORECASE)
_ACCOUNTS = lazy(
    r"(?:(?<!\()\*[^;*]{0,200}\bmysql\.user|\bpg_shadow|\bpg_authid|\bauthentication_string|\bsys\.sql_logins|\bdba_users)\b",
    re.IGNORECASE,
)


def reads_accounts(sql: str) -> bool:
    """Whether it shows the passwords of a server's accounts, mostly as hashes."""
    return bool(_ACCOUNTS.search(sql[:_LONGEST]) and _LOOKS.search(sql))


def files_in_sql(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What statements read and write outside the database, and hashes of its accounts."""
    texts = [word.text for word in command.argv[1:] if " " in word.text or "(" in word.text]
    for text in (*texts, command.stdin.text or ""):
        if reads_accounts(text):
            yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
        yield from files_of_statement(text, command, where)


def files_of_statement(text: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    for pattern, action in ((_READS, Action.READ), (_WRITES, Action.OVERWRITE)):
        for match in pattern.finditer(text[:_LONGEST]):
            path = next(filter(None, match.groups()))
            what = shown(command) or text.strip()[:120]
            yield Effect(action, "sql", command, resolve(Word(path), command, where), what=what)
