"""Databases: statements that lose data, whoever runs them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.services.sql_statements import sql_danger
from fairlead.shell.effects.services.test_databases import is_for_tests
from fairlead.shell.effects.subcommand_tables import Danger, is_dry_run, same_reader, shown, subcommand_reader
from fairlead.shell.effects.tables.database_tasks import TASKS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place, Surroundings, resolve
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_MONGO = lazy(
    r"\.(?:dropDatabase|drop|dropIndexes|dropUser|dropAllUsersFromDatabase)\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?[,)]"
    r"|\bshutdown['\"]?\s*:|shutdownServer\(|\.deleteMany\s*\(\s*\{\s*_id\s*:\s*\{\s*['\"]?\$(?:exists|ne|gte?)"
    r"|\.(?:createUser|updateUser|createRole|grantRolesToUser|revokeRolesFromUser|changeUserPassword)\s*\(|\brs\.(?:remove|reconfig|stepDown)\(|removeShard|\.updateMany\s*\(\s*\{\s*\}|\bdrop(?:Database)?['\"]?\s*:"
    r"|deleteMany['\"]?\s*:\s*\{\s*['\"]?filter['\"]?\s*:\s*\{\s*\}|\.find\(\s*(?:\{\s*\})?\s*\)\.forEach\(.{0,120}?\.(?:delete|remove)\w*\("
)
_LOSING_FILE = lazy(
    r"(?:^|[/_.-])(?:drop|wipe|reset|destroy|truncate|purge|nuke|clean|flush)[\w-]*\.(?:sql|js|cql|cypher|lua)$",
    re.IGNORECASE,
)
_REDIS = frozenset(("flushall", "flushdb", "shutdown", "debug", "replicaof", "slaveof", "swapdb"))
_REDIS_PAIRS = (
    *(
        ["cluster", "reset"],
        ["cluster", "failover"],
        ["acl", "deluser"],
        ["acl", "setuser"],
        ["module", "load"],
    ),
    *(
        ["script", "flush"],
        ["function", "flush"],
        ["client", "kill"],
        ["xgroup", "destroy"],
        ["config", "rewrite"],
    ),
)

_STATED = lazy(r"\s*(?:DROP|TRUNCATE|DELETE\s+FROM)\s+\w+\s*\w", re.IGNORECASE)
"""A word that begins as a statement that loses data: clients differ in the option that announces it."""


def _value(text: str) -> str:
    return text.partition("=")[2] if text.startswith("--") else text


def _sql_and(options: Sequence[str], *dangers: Danger) -> EffectReader:
    """A client with subcommands of its own beside the statements that its `options` take."""
    readers = (_sql_client(*options), subcommand_reader(Action.CHANGE_DATABASE, dangers))

    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        for reader in readers:
            yield from reader(command, where)

    return read


def _sql_client(*options: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        single = any(option.startswith("-") and len(option) > 2 and option[1] != "-" for option in options)
        given = read_arguments(command.argv[1:], valued=(*options, *_CLIENT_VALUED), single_dash=single)
        texts = [word.text for option in options for word in given.values.get(option, ())]
        stated = [text for text in (_value(word.text) for word in command.argv[1:]) if _STATED.match(text)]
        texts += [text for text in stated if text not in texts]
        yield from _judged(command, texts)
        yield from _losing_files(command)
        if not given.has("--help", "--version"):
            for option in ("-f", "--file"):
                for word in given.values.get(option, ()):
                    yield Effect(Action.READ, "operand", command, resolve(word, command, where))

    return read


_CLIENT_VALUED = names(
    """
    -h -p -P -U -d -u -D -S --host --port --user --username --dbname --database -f --file -o -v
    --set -F -R --socket --defaults-file -k -i
    """
)


def _losing_files(command: Command) -> Iterator[Effect]:
    """A script that says by its name what it does: `mysql prod < drop_all.sql`."""
    names_ = [name for word in command.argv[1:] for name in word.text.split()[:4]]
    names_ += [redirect.target.text for redirect in command.redirects if redirect.operator == "<"]
    for name in names_:
        if _LOSING_FILE.search(name):
            yield Effect(Action.CHANGE_DATABASE, "access", command, what=name, detail=command.name)
            return


def _judged(command: Command, texts: Sequence[str]) -> Iterator[Effect]:
    for text in (*texts, command.stdin.text or ""):
        found = sql_danger(text) if text else None
        if found is not None:
            yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name)


def _sqlite(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-cmd", "-separator", "-init"), single_dash=True)
    if not given.operands:
        return
    target = resolve(given.operands[0], command, where)
    if given.operands[0].text == ":memory:" or target.place in (Place.TEMPORARY, Place.GENERATED):
        return
    yield from _judged(command, [word.text for word in (*given.operands[1:], *given.values.get("-cmd", ()))])
    yield from _losing_files(command)
    if any(re.match(r"\s*\.restore\b", word.text) for word in given.operands[1:]):
        yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=command.name)


def _createuser(command: Command, where: Surroundings) -> Iterator[Effect]:
    if read_arguments(command.argv[1:]).has("-s", "--superuser", "-r", "--createrole", "--replication"):
        yield Effect(Action.CHANGE_DATABASE, "access", command, what=shown(command), detail=command.name)


def _mongo(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("--eval", "--host", "--port", "-u", "-p"))
    yield from _losing_files(command)
    for text in (*(word.text for word in given.values.get("--eval", ())), command.stdin.text or ""):
        found = _MONGO.search(text)
        if found:
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=found[0], detail=command.name)


_influx = _sql_and(
    ("-execute", "--execute"), Danger("delete", "drop"), Danger("bucket|org|user delete", "drop")
)


def _any_sql(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _judged(command, [word.text for word in command.argv[1:]])
    for word in command.argv[1:]:
        if re.search(r"_drop\w*\(", word.text) or _LOSING_FILE.search(word.text.lstrip("@")):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=word.text[:80], detail=command.name)


_snow_known = subcommand_reader(Action.CHANGE_DATABASE, (Danger("** drop|teardown|remove|delete", "drop"),))


def _snow(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _any_sql(command, where)
    yield from _snow_known(command, where)


def loses_graph(text: str) -> bool:
    """Whether a statement of a graph database deletes what is in it."""
    return bool(
        re.search(r"\bDETACH\s+DELETE\b|\bDROP\s+(?:DATABASE|CONSTRAINT|INDEX)\b", text, re.IGNORECASE)
    )


def _cypher(command: Command, where: Surroundings) -> Iterator[Effect]:
    for text in (*(word.text for word in command.argv[1:]), command.stdin.text or ""):
        if loses_graph(text):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=command.name)


_CALLED_BY_LUA = lazy(r"redis\.p?call\(\s*['\"](?:flush\w*|del|unlink)", re.IGNORECASE)


def _redis(command: Command, where: Surroundings) -> Iterator[Effect]:
    if any(word.text in ("del-node", "reset", "call") for word in command.argv[2:3]):
        yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=shown(command), detail=command.name)
    valued = names(
        """
        -h -p -a -n -u -s -r -i --user --pass --sni --cacert --cert --key
        """
    )
    given = read_arguments(command.argv[1:], valued=valued)
    yield from _losing_files(command)
    called = _CALLED_BY_LUA.search(command.stdin.text or "")
    if called:
        yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=called[0], detail=command.name)
    lines = [" ".join(word.text for word in given.operands), *(command.stdin.text or "").splitlines()]
    for line in lines:
        words = line.lower().split()
        words = words[2:] if words[:1] == ["call"] else words
        if words and (words[0] in _REDIS or words[:2] in _REDIS_PAIRS):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=line[:80], detail=command.name)
        elif words[:2] == ["config", "get"] and re.search("pass|auth", " ".join(words[2:])):
            yield Effect(Action.READ_SECRET, "read-secret", command, what=line[:80], detail=command.name)
        elif (
            words[:2] == ["config", "set"]
            or (words[:1] == ["eval"] and re.search("del|flush", line.lower()))
            or (words[:1] in (["del"], ["unlink"]) and any(not word.known for word in given.operands))
        ):
            yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=line[:80], detail=command.name)


def _always(name: str) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        if not is_dry_run(read_arguments(command.argv[1:])):
            yield Effect(Action.CHANGE_DATABASE, name, command, what=shown(command), detail=command.name)

    return read


def _kafka(command: Command, where: Surroundings) -> Iterator[Effect]:
    texts = [word.text for word in command.argv]
    losing = {"--delete", "--delete-offsets", "--remove", "--execute", "--alter", "format"}
    if "--allow-principal" in texts:
        yield Effect(Action.CHANGE_CLOUD, "change-access", command, what=shown(command))
    if losing & set(texts) or command.name.startswith("kafka-delete-"):
        yield Effect(Action.CHANGE_DATABASE, "drop", command, what=shown(command), detail=command.name)


_HADOOP = names("-rm -rmr -expunge -deleteSnapshot -format -kill -killQueue -destroy -fail-task -kill-task")


def hadoop(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`hdfs dfs -rm -r PATH`: its subcommands look like options."""
    texts = [word.text for word in command.argv[1:]]
    if any(text in _HADOOP for text in texts[:3]):
        yield Effect(Action.CHANGE_DATABASE, "drop", command, what=shown(command), detail=command.name)


def _pg_restore(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=_CLIENT_VALUED)
    restores = given.has("-d", "--dbname") and not given.has("-l", "--list", "-f", "--file")
    if restores and given.has("-c", "--clean", "-C", "--create"):
        yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=command.name)


_NAMING = names("alembic flask aerich yoyo sqitch migrate dbmate diesel sqlx sea-orm-cli phinx")
"""They are given messages and names, no statements: `alembic revision -m "drop users"`."""


def _task(table: tuple[Danger, ...]) -> EffectReader:
    """A program with subcommands, some of which are given statements: `prisma db execute --stdin`."""
    known = subcommand_reader(
        Action.CHANGE_DATABASE, table, valued=("--schema", "--host", "-h", "-u", "-p", "--env")
    )

    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        found = list(known(command, where))
        if found and found[0].name == "reset" and is_for_tests(command):
            return
        yield from found
        if any(word.text in ("--file", "--sql-file") for word in command.argv):
            yield from _losing_files(command)
        if command.name not in _NAMING:
            yield from _judged(command, [word.text for word in command.argv[1:] if _STATED.match(word.text)])

    return read


_BUILT = lazy(r"(?:flyway:?clean|liquibase:?drop-?all)\Z", re.IGNORECASE)


def built(command: Command) -> Iterator[Effect]:
    """Goals of build tools that empty a database: `mvn flyway:clean`, `gradle :db:flywayClean`."""
    if any(_BUILT.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=command.name)


_cockroach = _sql_and(
    ("-e", "--execute"), Danger("node decommission|drain", "drop"), Danger("quit|debug", "access")
)


def _hbase(command: Command, where: Surroundings) -> Iterator[Effect]:
    for text in (*(word.text for word in command.argv[1:]), command.stdin.text or ""):
        if re.search(r"\b(?:drop|drop_all|truncate|deleteall|drop_namespace)\b\s*['\"(]", text):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=command.name)


_dolt = _sql_and(
    ("-q", "--query"),
    Danger("reset", "reset", needs=("--hard",)),
    Danger("branch", "drop", needs=("-D", "--force")),
    Danger("push", "reset", needs=("-f", "--force")),
    Danger("clean|gc|table rm", "reset"),
    Danger("checkout *", "access", needs=("-f", "--force")),
)


def _surreal(command: Command, where: Surroundings) -> Iterator[Effect]:
    for text in (*(word.text for word in command.argv[1:]), command.stdin.text or ""):
        if re.search(r"\bREMOVE\s+(?:DATABASE|NAMESPACE|TABLE|USER)\b|\bDELETE\s+\w+\s*(?:;|\Z)", text, re.I):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=text[:80], detail=command.name)


TABLE: dict[str, EffectReader] = {
    **same_reader(_sql_client("-c", "--command"), "psql pgcli"),
    **same_reader(
        _sql_client("-e", "-c", "--execute", "--command"),
        "mysql mariadb mycli cqlsh usql litecli mysqlsh ysqlsh ycqlsh",
    ),
    **same_reader(
        _sql_client("-Q", "-q", "--query"),
        "sqlcmd osql tsql sqlline sqlline.py snowsql clickhouse-client clickhouse isql vsql bteq",
    ),
    **same_reader(_sql_client("-c", "-s", "--execute"), "trino presto"),
    "influx": _influx,
    "cypher-shell": _cypher,
    "cockroach": _cockroach,
    "surreal": _surreal,
    "hbase": _hbase,
    "dolt": _dolt,
    **same_reader(_any_sql, "sqlplus db2 arangosh sql sqlcl hive beeline spark-sql impala-shell exaplus"),
    "snow": _snow,
    **same_reader(_sqlite, "sqlite3 sqlite duckdb"),
    **same_reader(_mongo, "mongosh mongo"),
    **same_reader(_redis, "redis-cli valkey-cli keydb-cli iredis dragonfly-cli kvrocks-cli"),
    **same_reader(_always("drop"), "dropdb dropuser"),
    **same_reader(_kafka, "kafka-topics"),
    **same_reader(hadoop, "hdfs hadoop mapred"),
    "pg_restore": _pg_restore,
    "createuser": _createuser,
    **{name: _task(table) for name, table in TASKS.items()},
    "django": _task(TASKS["manage.py"]),
    "django-admin": _task(TASKS["manage.py"]),
}
