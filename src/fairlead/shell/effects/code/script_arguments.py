"""Interpreters that are given a script by name: some scripts are well-known programs themselves."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.databases.sql_statements import sql_danger
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.in_place_edits import read_perl
from fairlead.shell.effects.files.touched_paths import touched
from fairlead.shell.effects.network.tunnels import served
from fairlead.shell.effects.own.own_names import python_program
from fairlead.shell.effects.program_effects import reader_named, shown
from fairlead.shell.effects.words.unlisted_programs import losing_task
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Code, Command, Script, Word

_SCRIPTS = (
    "manage.py",
    "artisan",
    "rails",
    "rake",
    "setup.py",
    "console",
    "ace",
    "yii",
    "cake",
    "doctrine",
    "phinx",
)


_TINKERED = lazy(r"::truncate\(|->delete\(|->truncate\(|::query\(\)->delete|Schema::drop")
_EMPTYING_TASK = lazy(
    r"^(?:db|migrate|migration):(?:wipe|fresh|reset|refresh|rollback|drop|truncate)$|^[\w-]+:(?:delete|destroy|purge|wipe|drop)$"
)
_OPEN_DEBUGGER = lazy(r"^--inspect(?:-brk)?=(?:0\.0\.0\.0|\[?::\]?)(?::|$)")


def _module(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`python -m twine upload` is `twine upload`."""
    texts = [word.text for word in command.argv]
    if "-m" in texts[:-1]:
        index = texts.index("-m") + 1
        if texts[index] == "http.server":
            yield from served(command, command.argv[index + 1 :], where)
        reader = reader_named("virtualenv" if texts[index] == "venv" else texts[index])
        if reader is not None:
            yield from reader(command.replace(argv=command.argv[index:]), where)
        else:
            yield from touched(command.replace(argv=command.argv[index:]), where)
        if texts[index] in ("timeit", "trace", "cProfile", "pdb"):
            for text in texts[index + 1 :]:
                if not text.startswith("-"):
                    yield from _inline("python", text, command, where)


def read_interpreter(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    if command.name.startswith("py"):
        yield from python_program(command, where)
        yield from _module(command, where)
    for index, word in enumerate(command.argv[1:], start=1):
        if word.text.startswith("-"):
            continue
        name = word.text.rsplit("/", 1)[-1]
        if name == "manage.py" and command.stdin.text and sql_danger(command.stdin.text):
            yield Effect(Action.CHANGE_DATABASE, "drop", command, what=command.stdin.text[:80], detail=name)
        tinkered = any(_TINKERED.search(w.text) for w in command.argv[index:])
        if name == "artisan" and tinkered:
            yield Effect(Action.CHANGE_DATABASE, "unbound", command, what=shown(command), detail=name)
        if name not in _SCRIPTS and any(
            _EMPTYING_TASK.match(w.text) for w in command.argv[index + 1 : index + 3]
        ):
            yield Effect(Action.CHANGE_DATABASE, "reset", command, what=shown(command), detail=name)
        if name in _SCRIPTS:
            yield from _task(command.replace(argv=command.argv[index:]), where)
        break
    if command.name == "node":
        yield from _loaded_by_node(command, where)
    if command.name in ("perl", "ruby"):
        yield from read_perl(command, where)
    yield from _serving(command, where)
    yield from touched(command, where)


def _task(command: Command, where: Surroundings) -> Iterator[Effect]:
    """A task that its record knows, or that says by its name what is lost: `manage.py purge_tenants`."""
    reader = reader_named(command.name)
    known = list(reader(command, where)) if reader is not None else []
    yield from known
    if not known and command.name != "rails":  # its `destroy` undoes what its `generate` wrote
        yield from losing_task(command)


def _serving(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Servers that interpreters have in them: `php -S`, `ruby -run -e httpd`, `node --inspect=0.0.0.0`."""
    texts = [word.text for word in command.argv[1:]]
    if (command.name == "php" and "-S" in texts) or (command.name == "ruby" and "httpd" in texts):
        yield from served(command, command.argv[1:], where)
    if any(_OPEN_DEBUGGER.match(text) for text in texts):
        yield Effect(Action.RUN_NETWORK_CODE, "tunnel", command, what=shown(command))


_REMOTE_MODULE = lazy(r"^(?:\S+ )?(?:--import|--require|-r|--loader|--experimental-loader)[= ]https?://")


def _loaded_by_node(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`node --env-file=.env -p process.env` loads a file and shows it."""
    texts = [word.text for word in command.argv]
    if any(_REMOTE_MODULE.match(" ".join(pair)) for pair in pairwise(texts)):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))
    if not any("process.env" in text for text in texts):
        return
    for word in command.argv[1:]:
        option, _, path = word.text.partition("=")
        if option.startswith("--env-file") and path:
            target = resolve(word.replace(text=path), command, where)
            yield Effect(Action.READ, "loaded", command, target)


def read_bun(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`bun` is a package manager and an interpreter."""
    as_npm = reader_named("npm")
    if as_npm is not None:
        yield from as_npm(command, where)
    texts = [word.text for word in command.argv]
    if any(re.match(r"^https?://", text) for text in texts[1:4]):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))
    for option in ("-e", "-p", "--eval", "--print"):
        if option in texts[:-1]:
            yield from _inline("javascript", texts[texts.index(option) + 1], command, where)


def _inline(language: str, text: str, command: Command, where: Surroundings) -> Iterator[Effect]:
    from fairlead.shell.effects.code.code_effects import code_effects
    from fairlead.shell.effects.script_effects import effects_of

    yield from code_effects(Code(language, text, command), where, effects_of)


def read_powershell(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`-EncodedCommand` is base64 of UTF-16."""
    texts = [word.text for word in command.argv]
    for option, value in pairwise(texts):
        if re.match(r"(?i)^-(?:e|ec|en[a-z]*)$", option):
            try:
                code = base64.b64decode(value).decode("utf-16-le")
            except ValueError:
                yield Effect(
                    Action.RUN_UNKNOWN_CODE,
                    "executed",
                    command,
                    detail="an encoded command that cannot be read",
                )
            else:
                yield from _inline("powershell", code, command, where)


def read_java(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`java -jar bfg.jar …` is `bfg …`."""
    from fairlead.shell.effects.script_effects import effects_of

    texts = [word.text for word in command.argv]
    if "-jar" in texts[:-1]:
        index = texts.index("-jar") + 1
        name = texts[index].rsplit("/", 1)[-1].removesuffix(".jar")
        inner = command.replace(argv=(Word(re.sub(r"-[\d.]+$", "", name)), *command.argv[index + 1 :]))
        yield from effects_of(Script("", (inner,)), where)
