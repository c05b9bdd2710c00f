"""Whether a task works on the database that tests fill anew each time."""

from __future__ import annotations

from itertools import pairwise

from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_ENVIRONMENT = lazy(
    r"^(?:RAILS|RACK|NODE|MIX|APP|HANAMI|SYMFONY|CAKE|DJANGO|FLASK|ASPNETCORE|KNEX)_ENV(?:IRONMENT)?$"
)
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
    return bool(asked) and asked <= _TESTS


def _is_here(address: str) -> bool:
    host = address.rpartition("@")[2] if "@" in address else address.partition("://")[2] or address
    return bool(LOCAL.match(host))
