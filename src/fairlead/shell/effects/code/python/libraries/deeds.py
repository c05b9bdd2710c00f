"""What a call of a library does, by the table."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word
from fairlead.shell.effects.code.python.libraries.deed import Deed
from fairlead.shell.effects.code.python.libraries.deed_table import DEEDS
from fairlead.shell.effects.code.python.running.thing import UNKNOWN, Thing, shown_as
from fairlead.shell.programs.effect_words import EFFECT_GROUPS


def library_acts(call: Call) -> Iterator[Act]:
    library, _, name = call.name.partition(".")
    for deed in DEEDS.get(library, ()):
        if any(fnmatchcase(name, one) for one in deed.call.split("|")) and _is_so(deed, call):
            yield _act(deed.what, call)
            return


def _is_so(deed: Deed, call: Call) -> bool:
    if not deed.when:
        return True
    part = "~" in deed.when
    key, _, wanted = deed.when.partition("~" if part else "=")
    given = _argument(call, key)
    said = (
        [str(bool(given.number))] if wanted in ("True", "False") and given.number is not None else given.texts
    )
    return any(wanted in each if part else wanted == each for each in said)


def _argument(call: Call, key: str) -> Thing:
    return call.at(int(key)) if key.isdecimal() else call.named.get(key, UNKNOWN)


def _act(what: str, call: Call) -> Act:
    word, slash, way = what.partition("/")
    if slash and word in EFFECT_GROUPS and " " not in what:
        return Act(EFFECT_GROUPS[word].action, name=way, text=call.name)
    first = as_word(shown_as(call.at(0))[0]) if "{0}" in what else ""
    return Act("shell", what.replace("{0}", first.strip("'")))
