"""Searches in files of secrets that show headings, or settings that are no secret: `grep '^PORT=' .env`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairlead.packs.places.secret_files.added_variables import is_plain_name
from fairlead.packs.places.secret_files.placeholders import is_harmless_value, split_line
from fairlead.packs.places.secret_files.unshown_secrets import VARIABLES
from fairlead.packs.rule import Scene
from fairlead.secrets.detect import find_secrets
from fairlead.secrets.plausible import looks_secret
from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.world import text_of
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_SEARCHING = names("grep egrep rg")
_OPTIONS = names("-n -E -h -H -w -i -e")
_HEADING = lazy(r"\^\\?\[|\^\\\[\.\*\\?\]\$?|\^\\\[\[[^\]]+\][*+]\\?\]\$?")
_SETTINGS = names("repository index-servers region output")
"""What files of credentials say besides: where they are for."""
_NAME = lazy(r"(\^?)([A-Za-z][A-Za-z0-9_-]*)(=?)(?:\.\*)?")
_GROUP = lazy(r"\^\(([\w|]+)\)(=?)(?:\.\*)?")


def shows_settings_alone(effect: Effect, scene: Scene) -> bool:
    """Whether all that a search can show is no secret. What a file of variables says under a name is looked up:
    a plain name with a key for its value is no plain setting."""
    if effect.target is None or effect.command.name not in _SEARCHING:
        return False
    sought = _alternatives(effect.command)
    if not sought:
        return False
    if not VARIABLES.search(effect.target.path):
        return all(_HEADING.fullmatch(each) or each.lstrip("^") in _SETTINGS for each in sought)
    held = text_of(effect.target.path)  # nothing where a link leads elsewhere
    return bool(held) and _shown_lines_are_plain(sought, held)


def _alternatives(command: Command) -> Sequence[str]:
    """The patterns of which any is looked for; none where that cannot be told."""
    words = command.argv[1:]
    given = read_arguments(words, valued=("-e",))
    if not given.flags <= _OPTIONS or not all(word.known for word in words):
        return ()
    patterns = [word.text for word in given.values.get("-e", given.operands[:1])]
    found: list[str] = []
    for pattern in patterns:
        group = _GROUP.fullmatch(pattern)
        if group is not None:
            found += [f"^{name}{group[2]}" for name in group[1].split("|")]
        else:
            found += re.split(r"\\\||\|", pattern)
    return found


def _shown_lines_are_plain(sought: Sequence[str], held: str) -> bool:
    asked = [_NAME.fullmatch(each) for each in sought]
    if not all(each is not None and is_plain_name(each[2].upper()) for each in asked):
        return False
    pattern = "|".join(f"{each[1]}{re.escape(each[2] + each[3])}" for each in asked if each is not None)
    lines = [line for line in held.splitlines() if re.search(pattern, line, re.IGNORECASE)]
    return all(map(_is_plain, lines))


def _is_plain(line: str) -> bool:
    found = split_line(line)
    if found is None or not is_plain_name(found[0]) or find_secrets(line):
        return False
    return is_harmless_value(found[1]) or not ("@" in found[1] or looks_secret(found[1]))
