"""Variables that a session adds to a file of them, or changes there: nothing is shown, and nothing of the
person's is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.packs.places.secret_files.placeholders import (
    LIVE,
    is_harmless_value,
    split_line,
    steers,
    written_text,
)
from fairlead.packs.places.secret_files.unshown_secrets import VARIABLES
from fairlead.packs.rule import Scene
from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.secret_material.secret_searches import SECRET_NAME
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.world import is_there, text_of

_PUBLIC = ("VITE_", "NEXT_PUBLIC_", "REACT_APP_", "EXPO_PUBLIC_", "NUXT_PUBLIC_", "PUBLIC_", "GATSBY_")
"""Names whose values are built into what everybody downloads."""
_ADDRESS = lazy(
    r"://|@|^[\w-]+(?:\.[\w-]+)*\.(?:[A-Za-z][A-Za-z-]+|\d{1,3}\.\d{1,3}\.\d{1,3})(?::\d+)?(?:/|$)"
)
_GOES_SOMEWHERE = lazy(r"URL|URI|DSN|HOST|ENDPOINT|SERVER|BASE|DOMAIN|ORIGIN|REGISTRY|INDEX|ISSUER|PROXY")
_RUNS = lazy(r"[`;&|]|\$\(")
_SECRET = lazy(
    rf"{SECRET_NAME}|KEY|PASS|PWD|AUTH|CRED|SALT|CERT|SIGN|HASH|COOKIE|SESSION|WEBHOOK|LICEN[CS]E|^(?:DB|PG|MYSQL)$"
)
_NAME_AT_START = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=", re.MULTILINE)
_DELETES = lazy(r"\s*/\^(?:export )?([A-Z][A-Z0-9_]*)=(?:\.\*)?\$?/\s*d\s*")
_SETS = lazy(r"\s*s([/|#,@])\^([A-Z][A-Z0-9_]*)=\.\*\$?\1\2=((?:(?!\1)[^\\&\n]|\\/)*)\1\s*")


def adds_variables(effect: Effect, scene: Scene) -> bool:
    """`echo MAP_STYLE=basic >> .env`, where the file says nothing yet about that name."""
    path = _file_of_variables(effect, scene)
    if not path or effect.action is not Action.WRITE or not _appends(effect):
        return False
    text = written_text(effect.command, generated=True)
    held = text_of(path)
    if not text or not (held.endswith("\n") or not held or text.startswith("\n")):
        return False  # a last line without an end would get the text for its value
    lines = [split_line(line) for line in text.splitlines()]
    known = set(_NAME_AT_START.findall(held))
    return all(
        line is not None
        and (not line[0] or (_may_be_added(*line) and not _is_persons(line[0], path, known, scene)))
        for line in lines
    )


def changes_own_variables(effect: Effect, scene: Scene) -> bool:
    """`sed -i '/^ADDED=/d' .env`; and `sed -i 's/^PORT=.*/PORT=4000/' .env`, which is no secret to anybody."""
    path = _file_of_variables(effect, scene)
    if not path or effect.name != "sed" or effect.action not in (Action.WRITE, Action.READ):
        return False
    changes = list(_changes(effect))
    return bool(changes) and all(
        name is not None
        and (
            scene.memory.named(f"{path}/{name}") is not None
            or (value is not None and _is_setting(name, value))
        )
        for name, value in changes
    )


def added_names(effect: Effect) -> Iterator[str]:
    """The variables of a file, as paths in it, that a call adds and that were not there before."""
    target = effect.target
    if target is None or effect.action is not Action.WRITE or not VARIABLES.search(target.path):
        return
    known = set(_NAME_AT_START.findall(text_of(target.path)))
    for line in written_text(effect.command, generated=True).splitlines() if _appends(effect) else ():
        found = split_line(line)
        if found is not None and found[0] and found[0] not in known:
            yield f"{target.path}/{found[0]}"


def _file_of_variables(effect: Effect, scene: Scene) -> str:
    """The project's own, as it is; nothing for one that is another's behind a link, or the running system's."""
    target, project = effect.target, scene.where.project
    if target is None or target.pattern or not project or target.real not in ("", target.path):
        return ""
    path = target.path
    kept = VARIABLES.search(path) and not path.endswith(".envrc") and not LIVE.search(path)
    return path if kept and path.startswith(f"{project}/") and is_there(path) else ""


def _appends(effect: Effect) -> bool:
    command = effect.command
    if effect.name == "redirect":
        return len([each for each in command.redirects if each.operator == ">>"]) == 1
    return effect.name == "tee" and command.argv[1].text in ("-a", "--append") and len(command.argv) == 3


def _is_persons(name: str, path: str, known: set[str], scene: Scene) -> bool:
    return name in known and scene.memory.named(f"{path}/{name}") is None


def _may_be_added(name: str, value: str) -> bool:
    if steers(name) or _RUNS.search(value):
        return False
    goes = _ADDRESS.search(value) or _GOES_SOMEWHERE.search(name)
    return not goes or name.startswith(_PUBLIC) or is_harmless_value(value)


def is_plain_name(name: str) -> bool:
    """Whether nobody keeps a secret under it, or an address, in which there may be one."""
    return not (_SECRET.search(name) or _GOES_SOMEWHERE.search(name) or steers(name))


def _is_setting(name: str, value: str) -> bool:
    return is_plain_name(name) and is_harmless_value(value)


def _changes(effect: Effect) -> Iterator[tuple[str | None, str | None]]:
    """The variables that a program of sed deletes or sets, with their new values; None for anything else."""
    words = [
        word.replace(text="-i") if word.text.startswith("-i") else word for word in effect.command.argv[1:]
    ]
    given = read_arguments(words, valued=("-e", "--expression"))
    in_place = given.has("-i", "--in-place") and all(word.known for word in words)
    if not in_place or any(
        word.text[:1] == "-" and word.text not in ("-i", "-e", "-E", "-r") for word in words
    ):
        yield None, None
        return
    programs = [word.text for option in ("-e", "--expression") for word in given.values.get(option, ())]
    programs = programs or [given.operands[0].text]
    for part in (part for program in programs for part in program.split(";")):
        deleted, set_ = _DELETES.fullmatch(part), _SETS.fullmatch(part)
        if deleted is not None:
            yield deleted[1], None
        else:
            yield (set_[2], set_[3].replace("\\/", "/")) if set_ is not None else (None, None)
