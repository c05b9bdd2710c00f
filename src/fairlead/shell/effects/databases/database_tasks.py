"""Tasks that change the schema of a database: migration tools, and the consoles of frameworks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.databases.losing_statements import losing_files, losing_words
from fairlead.shell.effects.databases.test_databases import is_for_tests
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command


def read_task(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """A program with subcommands, some of which are given statements: `prisma db execute --stdin`."""
    found = list(known(command, where))
    if _is_test_reset(found, command):
        return
    yield from found
    yield from _losing_scripts(command)
    yield from losing_words(command)


def read_naming_task(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """Such a program that is given messages and names, no statements: `alembic revision -m "drop users"`."""
    found = list(known(command, where))
    if _is_test_reset(found, command):
        return
    yield from found
    yield from _losing_scripts(command)


def _is_test_reset(found: list[Effect], command: Command) -> bool:
    return bool(found) and found[0].name == "reset" and is_for_tests(command)


def _losing_scripts(command: Command) -> Iterator[Effect]:
    if any(word.text in ("--file", "--sql-file") for word in command.argv):
        yield from losing_files(command)


_BUILT = lazy(r"(?:flyway:?clean|liquibase:?drop-?all)\Z", re.IGNORECASE)


def losing_goals(command: Command) -> Iterator[Effect]:
    """Goals of build tools that empty a database: `mvn flyway:clean`, `gradle :db:flywayClean`."""
    if any(_BUILT.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=command.name)
