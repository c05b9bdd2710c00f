"""Clients of databases: what they are told, each in its own language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.databases.losing_statements import (
    losing_files,
    names_losing_file,
    stated_texts,
    statement_effects,
)
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.program_effects import options_of, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_MONGO = lazy(
    r"\.(?:dropDatabase|drop|dropIndexes|dropUser|dropAllUsersFromDatabase)\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?[,)]"
    r"|\bshutdown['\"]?\s*:|shutdownServer\(|\.deleteMany\s*\(\s*\{\s*_id\s*:\s*\{\s*['\"]?\$(?:exists|ne|gte?)"
    r"|\.(?:createUser|updateUser|createRole|grantRolesToUser|revokeRolesFromUser|changeUserPassword)\s*\(|\brs\.(?:remove|reconfig|stepDown)\(|removeShard|\.updateMany\s*\(\s*\{\s*\}|\bdrop(?:Database)?['\"]?\s*:"
    r"|deleteMany['\"]?\s*:\s*\{\s*['\"]?filter['\"]?\s*:\s*\{\s*\}|\.find\(\s*(?:\{\s*\})?\s*\)\.forEach\(.{0,120}?\.(?:delete|remove)\w*\("
)


def read_sql_client(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """A client that is given statements by options, which its record names, and may have subcommands."""
    program = where.programs.find(command.name)
    options = program.sql if program is not None else ()
    single = any(option.startswith("-") and len(option) > 2 and option[1] != "-" for option in options)
    given = read_arguments(command.argv[1:], valued=(*options, *_CLIENT_VALUED), single_dash=single)
    texts = [word.text for option in options for word in given.values.get(option, ())]
    texts += [text for text in stated_texts(command) if text not in texts]
    yield from statement_effects(command, texts)
    yield from losing_files(command)
    if not given.has("--help", "--version"):
        for option in ("-f", "--file"):
            for word in given.values.get(option, ()):
                yield Effect(Action.READ, "operand", command, resolve(word, command, where))
    yield from known(command, where)


_CLIENT_VALUED = names(
    """
    -h -p -P -U -d -u -D -S --host --port --user --username --dbname --database -f --file -o -v
    --set -F -R --socket --defaults-file -k -i
    """
)


def read_sqlite(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    given = options_of(command, where)
    if not given.operands:
        return
    target = resolve(given.operands[0], command, where)
    if given.operands[0].text == ":memory:" or target.place in (Place.TEMPORARY, Place.GENERATED):
        return
    yield from statement_effects(
        command, [word.text for word in (*given.operands[1:], *given.values.get("-cmd", ()))]
    )
    yield from losing_files(command)
    if any(re.match(r"\s*\.restore\b", word.text) for word in given.operands[1:]):
        yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=command.name)


def read_mongo(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    given = options_of(command, where)
    yield from losing_files(command)
    for text in (*(word.text for word in given.values.get("--eval", ())), command.stdin.text or ""):
        found = _MONGO.search(text)
        if found:
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=found[0], detail=command.name)


def read_any_sql(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """A client whose statements may stand in any of its words."""
    yield from statement_effects(command, [word.text for word in command.argv[1:]])
    for word in command.argv[1:]:
        if re.search(r"_drop\w*\(", word.text) or names_losing_file(word.text.lstrip("@")):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=word.text[:80], detail=command.name)
    yield from known(command, where)


def loses_graph(text: str) -> bool:
    """Whether a statement of a graph database deletes what is in it."""
    return bool(
        re.search(
            r"\bDETACH\s+DELETE\b|\bMATCH\s*\(\s*\w*\s*\)\s*DELETE\b|\bDROP\s+(?:DATABASE|CONSTRAINT|INDEX)\b",
            text,
            re.IGNORECASE,
        )
    )


def read_cypher(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    for text in (*(word.text for word in command.argv[1:]), command.stdin.text or ""):
        if loses_graph(text):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=command.name)


_REDIS = names("flushall flushdb shutdown debug replicaof slaveof swapdb")
_REDIS_PAIRS = frozenset(
    (
        ("cluster", "reset"),
        ("cluster", "failover"),
        ("acl", "deluser"),
        ("acl", "setuser"),
        ("module", "load"),
        ("script", "flush"),
        ("function", "flush"),
        ("client", "kill"),
        ("xgroup", "destroy"),
        ("config", "rewrite"),
    )
)
_CALLED_BY_LUA = lazy(r"redis\.p?call\(\s*['\"](?:flush\w*|del|unlink)", re.IGNORECASE)


def read_redis(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    if any(word.text in ("del-node", "reset", "call") for word in command.argv[2:3]):
        yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=shown(command), detail=command.name)
    given = options_of(command, where)
    yield from losing_files(command)
    called = _CALLED_BY_LUA.search(command.stdin.text or "")
    if called:
        yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=called[0], detail=command.name)
    lines = [" ".join(word.text for word in given.operands), *(command.stdin.text or "").splitlines()]
    for line in lines:
        words = line.lower().split()
        words = words[2:] if words[:1] == ["call"] else words
        if words[:2] == ["debug", "populate"]:  # adds keys
            continue
        if words and (words[0] in _REDIS or tuple(words[:2]) in _REDIS_PAIRS):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=line[:80], detail=command.name)
        elif words[:2] == ["config", "get"] and re.search("pass|auth", " ".join(words[2:])):
            yield Effect(Action.READ_SECRET, "read-secret", command, what=line[:80], detail=command.name)
        elif (
            words[:2] == ["config", "set"]
            or (words[:1] == ["eval"] and re.search("del|flush", line.lower()))
            or (words[:1] in (["del"], ["unlink"]) and not _names_keys(given))
        ):
            yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=line[:80], detail=command.name)


_FAMILY = lazy(r"[\w:.{}-]{3,}(?:[*?\[].*)?")
_ELSEWHERE = ("-h", "-u", "--uri", "-s")


def _names_keys(given: Arguments) -> bool:
    """Whether the keys are known, or all of one family on this machine: `--scan --pattern 'cache:*'`."""
    unknown = [word for word in given.operands if word.opaque is not None]
    stages = [stage for word in unknown if word.opaque is not None for stage in word.opaque.commands()]
    return not unknown or (
        not given.has(*_ELSEWHERE) and bool(stages) and all(_lists_family(stage[1:]) for stage in stages)
    )


def _lists_family(words: tuple[str, ...]) -> bool:
    """`-n 15 --scan --pattern 'test:*'`: which of the databases it is, may stand before."""
    words = words[2:] if words[:1] == ("-n",) else words
    return words[:2] == ("--scan", "--pattern") and len(words) == 3 and bool(_FAMILY.fullmatch(words[2]))


def read_kafka(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    texts = [word.text for word in command.argv]
    losing = {"--delete", "--delete-offsets", "--remove", "--execute", "--alter", "format"}
    if "--allow-principal" in texts:
        yield Effect(Action.CHANGE_CLOUD, "change-access", command, what=shown(command))
    if losing & set(texts) or command.name.startswith("kafka-delete-"):
        yield Effect(Action.CHANGE_DATABASE, "drop", command, what=shown(command), detail=command.name)


_HADOOP = names("-rm -rmr -expunge -deleteSnapshot -format -kill -killQueue -destroy -fail-task -kill-task")


def read_hadoop(command: Command, where: Surroundings, known: EffectReader | None = None) -> Iterator[Effect]:
    """`hdfs dfs -rm -r PATH`: its subcommands look like options."""
    texts = [word.text for word in command.argv[1:]]
    if any(text in _HADOOP for text in texts[:3]):
        yield Effect(Action.CHANGE_DATABASE, "drop", command, what=shown(command), detail=command.name)


def read_pg_restore(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    given = options_of(command, where)
    restores = given.has("-d", "--dbname") and not given.has("-l", "--list", "-f", "--file")
    if restores and given.has("-c", "--clean", "-C", "--create"):
        yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=command.name)


def read_hbase(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    for text in (*(word.text for word in command.argv[1:]), command.stdin.text or ""):
        if re.search(r"\b(?:drop|drop_all|truncate|deleteall|drop_namespace)\b\s*['\"(]", text):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=command.name)


def read_surreal(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    for text in (*(word.text for word in command.argv[1:]), command.stdin.text or ""):
        if re.search(r"\bREMOVE\s+(?:DATABASE|NAMESPACE|TABLE|USER)\b|\bDELETE\s+\w+\s*(?:;|\Z)", text, re.I):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=command.name)
