"""What one command prints, writes or lists for another: statements, process ids, an archive."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.databases.sql_statements import sql_danger
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.own.guard_names import GUARDS
from fairlead.shell.effects.program_effects import is_asked, shown
from fairlead.shell.effects.together.feeding_commands import Sources, stage_of
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Script
from fairlead.shell.unknown import Kind
from fairlead.shell.word_sets import names

CLIENTS = names("psql mysql mariadb sqlite3")
CONSOLE_WORDS = names("console c shell tinker")


_LOSING_CODE = lazy(r"delete_all|destroy_all|\.all\(\)\.delete\(|truncate\(|drop_table")
_QUOTED_STATEMENT = lazy(r"['\"]\s*(?:drop|truncate)\s+\w+", re.IGNORECASE)


def _prints_statements(command: Command) -> bool:
    return any(
        word.text in ("sqlflush", "sqlclear") or _QUOTED_STATEMENT.search(word.text) for word in command.argv
    )


def fed_consoles(commands: tuple[Command, ...], sources: Sources) -> Iterator[Effect]:
    """Statements that one program prints for another: `sqlflush | psql`, `rails console <<< CODE`."""
    for command in commands:
        console = any(word.text in CONSOLE_WORDS for word in command.argv[1:3])
        losing = console and _LOSING_CODE.search(command.stdin.text or "")
        client = command.name in CLIENTS or any(word.text == "dbshell" for word in command.argv)
        if client and command.stdin.opaque is not None and command.stdin.opaque.network:
            reason = "statements that come off the network"
            yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, what=shown(command), detail=reason)
        fed = client and command.position and any(map(_prints_statements, sources.before(command)))
        if losing or fed:
            yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=shown(command), detail=command.name)


_DUMPING = names("pg_dump pg_dumpall pg_restore mysqldump mariadb-dump")
_UNPACKING = names("gunzip gzip zcat gzcat bzcat bunzip2 xzcat unxz zstd zstdcat lz4 pigz pv")
_CLEANING = names("-c --clean -C --create --add-drop-database --add-drop-table")
_PRODUCTION = lazy(r"(?:^|[^a-z])prod(?:uction)?(?:[^a-z]|$)", re.IGNORECASE)
_DUMP_FILE = lazy(r"(?:dump|backup|snapshot|restore)[^/]*$", re.IGNORECASE)


def fed_dumps(commands: tuple[Command, ...], sources: Sources) -> Iterator[Effect]:
    """A dump that drops before it creates, or one that is written over what production has."""
    for command in commands:
        if command.name not in CLIENTS:
            continue
        feeding = sources.before(command)
        dumps = [other for other in feeding if other.name in _DUMPING]
        cleans = any(word.text in _CLEANING for other in dumps for word in other.argv[1:])
        read = any(r.operator == "<" and _DUMP_FILE.search(r.target.text) for r in command.redirects)
        restores = dumps or read or any(other.name in _UNPACKING for other in feeding)
        goes_live = any(_PRODUCTION.search(word.text) for word in command.argv[1:])
        if cleans or (restores and goes_live):
            yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=command.name)


APPLYING = names("apply replace")
_NONE_LEFT = lazy(r"replicas\"?\s{0,4}(?:[:=]|\|=)\s{0,4}0\b")


def fed_manifests(commands: tuple[Command, ...], sources: Sources) -> Iterator[Effect]:
    """`kubectl get … | sed 's/replicas: 3/replicas: 0/' | kubectl apply -f -`."""
    for command in commands:
        applies = is_asked("manifests", command.name) and any(
            word.text in APPLYING for word in command.argv[1:]
        )
        if command.position and applies:
            written = (word.text for other in sources.before(command) for word in other.argv[1:])
            if any(map(_NONE_LEFT.search, written)):
                yield Effect(Action.CHANGE_CLUSTER, "scale-down", command, what=shown(command))


PRINTERS = names("echo printf cat")


def fed_statements(commands: tuple[Command, ...], where: Surroundings) -> Iterator[Effect]:
    """SQL that one command writes to a file and a later one runs."""
    written: dict[str, str] = {}
    for command in commands:
        if command.name in PRINTERS:
            text = command.stdin.text or " ".join(word.text for word in command.argv[1:])
            if "<()" in command.via:
                written["/dev/fd/63"] = text
            for redirect in command.redirects:
                if ">" in redirect.operator:
                    written[resolve(redirect.target, command, where).path] = text
        elif written and is_asked("sql", command.name):
            for word in command.argv[1:]:
                path = resolve(word.replace(text=word.text.lstrip("@")), command, where).path
                found = sql_danger(written.get(path, ""))
                if found is not None:
                    yield Effect(
                        Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name
                    )


_EACH_PROCESS = lazy(r"/proc/(?:\[0-9\]|\[1-9\]|\*|\?)|\bls\s+(?:-\w+\s+)*/proc/?\s*(?:\||\))")


_COUNTED = (Kind.ONE_OF_VALUES, Kind.TOO_MANY_WORDS)


def mass_kills(script: Script, sources: Sources) -> Iterator[Effect]:
    """`ps | awk '{print $2}' | xargs kill`, with nothing in between that picks some."""
    from fairlead.shell.effects.machine.listed_processes import picks_processes  # only for a kill
    from fairlead.shell.effects.machine.searched_processes import effects_of_search

    kills = [command for command in script.commands if command.name == "kill"]
    every = bool(kills) and bool(_EACH_PROCESS.search(script.text[:65536]))
    for command in kills:
        if all(word.known for word in command.argv):
            continue
        feeding = list(sources.of(command))
        if any(GUARDS.search(word.text) for other in feeding for word in other.argv[1:]):
            yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))
            continue
        counted = any(word.opaque is not None and word.opaque.has(*_COUNTED) for word in command.argv)
        if counted or every:
            yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
            continue
        picked = any(picks_processes(stage_of(other)) for other in feeding if other.argv)
        numbers = any("[0-9]" in word.text for other in feeding for word in other.argv)
        everyone = any(
            other.name in ("ps", "seq")
            or (other.name == "ls" and any(word.text.startswith("/proc") for word in other.argv))
            or (other.name == "pgrep" and other.argv[-1].text in (".", ".*"))
            for other in feeding
        )
        if everyone and (numbers or not picked):
            yield Effect(Action.KILL, "kill-everything", command, what=shown(command))
        yield from effects_of_search(command, [stage_of(other) for other in feeding if other.argv])


def unpacked(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """`git archive HEAD | tar -x` writes the committed files over the changed ones."""
    archives = {
        c.pipeline for c in commands if c.name == "git" and any(w.text == "archive" for w in c.argv[1:4])
    }
    for command in commands:
        texts = [word.text for word in command.argv[1:]]
        extracts = command.name == "tar" and any(
            re.match(r"^-?[a-z]*x|^--extract$", text) for text in texts[:2]
        )
        if (
            extracts
            and command.pipeline in archives
            and not any(text.startswith(("-C", "--directory")) for text in texts)
        ):
            yield Effect(Action.DISCARD_GIT_WORK, "checkout-paths", command, what=shown(command))
