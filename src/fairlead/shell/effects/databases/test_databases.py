"""Whether a task works on the database that tests fill anew each time."""

from __future__ import annotations

import re
from itertools import pairwise

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_ENVIRONMENT = lazy(
    r"^(?:RAILS|RACK|NODE|MIX|APP|HANAMI|SYMFONY|CAKE|DJANGO|FLASK|ASPNETCORE|KNEX)_ENV(?:IRONMENT)?$"
)
_SETTINGS = ("--settings", "DJANGO_SETTINGS_MODULE")
_TESTS = names("test testing tests ci Test Testing")
_ADDRESS = lazy(r"(?:DATABASE|DB)_(?:URL|HOST|DSN)$")


def is_for_tests(command: Command) -> bool:
    """`RAILS_ENV=test rails db:reset`, `artisan migrate:fresh --env=testing`, at no address elsewhere."""
    texts = [word.text for word in command.argv[1:]]
    given = {name: word.text for name, word in command.assignments.items()}
    given |= {name: value for name, equals, value in (text.partition("=") for text in texts) if equals}
    if any(_ADDRESS.search(name) and not _is_here(value) for name, value in given.items()):
        return False
    asked = {value for option, value in pairwise(texts) if option in ("--env", "-e")}
    asked |= {value for name, value in given.items() if name == "--env" or _ENVIRONMENT.match(name)}
    asked |= {given[name].rpartition(".")[2] for name in _SETTINGS if name in given}
    return bool(asked) and asked <= _TESTS


_NAMED_FOR_TESTS = lazy(
    r"(?:^|[_-])(?:tests?|testing|e2e|specs?|ci|scratch|tmp|temp|sandbox)(?:[_-]|\d*$)", re.I
)
_IN_USE = lazy(r"prod|live|stag|master|main", re.I)
_DROPPED = lazy(r"\bDROP\s+DATABASE\s+(?:IF\s+EXISTS\s+)?[\"`]?([\w-]+)", re.I)
_TURNING = lazy(r"\\c(?:onnect)?\b|\bUSE\s|\\i\b|\bSOURCE\b|;\s*\\|dblink|\bALTER\s+SYSTEM\b", re.I)
_URL = lazy(r"^\w+://(?:[^@/]*@)?([^/?]*)/([\w-]+)")
_DATABASES = names("-d --dbname --database -D --db")
_HOSTS = names("-h --host --server -H")
_USERS = names("-u --user -U --username")
_CLIENTS = names("psql mysql mariadb dropdb mongoimport mongorestore")


def is_test_database(command: Command) -> bool:
    """`dropdb app_test`, `psql -d app_test -c …`: on this machine, with a name that says so."""
    if command.name.startswith("python"):
        return connects_to_tests(command)
    command = _in_container(command)
    if command.name not in _CLIENTS or not all(word.known for word in command.argv):
        return False
    if any(wrapper.place and not wrapper.place.startswith("container:") for wrapper in command.wrappers):
        return False
    given = read_arguments(command.argv[1:], valued=(*_DATABASES, *_HOSTS, *_USERS, *_OTHERS))
    said = "\n".join((*(word.text for word in command.argv), command.stdin.text or ""))
    scripted = given.has("-f", "--file") and not command.name.startswith("mongo")
    if command.stdin.kind == "file" or scripted or _TURNING.search(said):
        return False
    hosts, databases = _connected(command, given)
    users = [word.text for option in _USERS for word in given.values.get(option, ())]
    if hosts and users and all(map(_is_local, hosts)) and all(map(is_named_for_tests, users)):
        return True
    dropped = _DROPPED.findall(said)
    others = bool(re.search(r"\b(?:DROP\s+(?!DATABASE)|TRUNCATE|DELETE|UPDATE|ALTER)", said, re.I))
    named = [*dropped, *(databases if others or not dropped else ())]
    return all(map(_is_local, hosts)) and bool(named) and all(map(is_named_for_tests, named))


_OTHERS = names("--uri --collection -p -P --port -c --command -e --execute -v --set --variable")


_CONNECTING = lazy(
    r"\b(?:\w*connect\w*|create_\w*engine|\w*Client|\w*Pool|Connection)\s*\((?P<given>[^)]{0,400})\)"
)
_LITERAL = lazy(r"\s*f?([\"'])(?P<text>[^\"'\\{}]*)\1\s*")
_CONNECTED = lazy(r"\b(?:dbname|database)=([\w-]+)")
_AT_HOST = lazy(r"\b(?:host|hostaddr)=([^\s;&]+)")
_MENTIONED = lazy(r"\b\w*(?:connect|engine|client|pool)\b", re.I)
_ELSEWHERE = lazy(r"\b(?:exec|eval|__import__|import_module|subprocess|system|environ|getenv)\b")


def connects_to_tests(command: Command) -> bool:
    """Code whose every connection is a literal one, to a database of this machine that is named for tests."""
    code = command.stdin.text or "\n".join(word.text for word in command.argv[1:])
    connections = list(_CONNECTING.finditer(code))
    return (
        bool(connections)
        and len(connections) == len(_MENTIONED.findall(code))
        and not _ELSEWHERE.search(code)
        and not _IN_USE.search(code)
        and all(_is_test_connection(found["given"]) for found in connections)
    )


def _is_test_connection(given: str) -> bool:
    literal = _LITERAL.fullmatch(given)
    if literal is None:
        return False
    text = literal["text"]
    address = _URL.match(text)
    hosts = [address[1]] if address else _AT_HOST.findall(text)
    named = [address[2]] if address else _CONNECTED.findall(text)
    return bool(named) and all(map(_is_local, hosts)) and all(map(is_named_for_tests, named))


def _in_container(command: Command) -> Command:
    """The client that `docker exec` starts on this machine."""
    texts = [word.text for word in command.argv]
    at = next((index for index, text in enumerate(texts) if text in _CLIENTS), 0)
    elsewhere = any(text.startswith(("-H", "--host", "--context", "-c")) for text in texts[:at])
    if command.name not in ("docker", "docker-compose", "podman") or not at or elsewhere:
        return command
    return command.replace(argv=command.argv[at:]) if "exec" in texts[:at] else command


def _connected(command: Command, given: Arguments) -> tuple[list[str], list[str]]:
    """The hosts and the databases that are named."""
    hosts = [word.text for option in _HOSTS for word in given.values.get(option, ())]
    databases = [word.text for option in _DATABASES for word in given.values.get(option, ())]
    for name, word in command.assignments.items():
        hosts += [word.text] if name in ("PGHOST", "MYSQL_HOST") else []
        databases += [word.text] if name == "PGDATABASE" else []
    operands = [word.text for word in given.operands]
    databases += [word.text for word in given.values.get("--uri", ())]
    if not command.name.startswith("mongo"):
        databases += operands if command.name == "dropdb" else operands[:1]
    for text in [*databases]:
        found = _URL.match(text)
        if found or "=" in text:
            databases.remove(text)
            hosts.append(found[1] if found else "?")
            databases += [found[2]] if found else []
    return hosts, databases


def _is_local(host: str) -> bool:
    return not host or host.startswith("/") or bool(LOCAL.match(host)) or host in ("db", "postgres", "mysql")


def is_named_for_tests(database: str) -> bool:
    """Of anything that is made for one run: a database, a cluster."""
    return bool(_NAMED_FOR_TESTS.search(database)) and not _IN_USE.search(database)


def _is_here(address: str) -> bool:
    host = address.rpartition("@")[2] if "@" in address else address.partition("://")[2] or address
    return bool(LOCAL.match(host))
