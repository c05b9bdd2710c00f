"""What a call of a library does, by the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call, as_word
from fairlead.shell.effects.code.python.libraries.deed import Deed
from fairlead.shell.effects.code.python.libraries.deed_table import DEEDS
from fairlead.shell.effects.code.python.running.thing import UNKNOWN, Thing, shown_as
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.effect_words import EFFECT_GROUPS

_PLACE = re.compile(r"\{(\w+)(!q)?\}")
_ON_TRIAL = lazy(
    r"(?i)localhost|127\.0\.0\.1|sandbox|testnet|sepolia|goerli|hardhat|anvil|ganache|paper[_-]|moto|localstack"
)
"""Money and machines that are none."""


def library_acts(call: Call, source: str) -> Iterator[Act]:
    library, _, name = call.name.partition(".")
    for deed in DEEDS.get(library, ()):
        if any(fnmatchcase(name, one) for one in deed.call.split("|")) and _is_so(deed, call):
            if (library == "boto3" or deed.does.startswith("cloud/")) and _ON_TRIAL.search(source):
                continue
            yield from _acts(deed.does, call)
            return


def _is_so(deed: Deed, call: Call) -> bool:
    if not deed.when:
        return True
    sign = next((each for each in "~=" if each in deed.when), "")
    key, _, wanted = deed.when.partition(sign) if sign else (deed.when, "", "")
    if not sign:
        return key in call.named
    said = _said(_argument(call, key), wanted)
    return any(wanted in each if sign == "~" else wanted == each for each in said)


def _said(given: Thing, wanted: str) -> tuple[str, ...]:
    if given.number is None:
        return given.texts
    return (str(bool(given.number)) if wanted in ("True", "False") else str(given.number),)


def _argument(call: Call, key: str) -> Thing:
    return call.at(int(key)) if key.isdecimal() else call.named.get(key, UNKNOWN)


def _acts(what: str, call: Call) -> Iterator[Act]:
    word, slash, way = what.partition("/")
    if slash and word in EFFECT_GROUPS and " " not in what:
        yield Act(EFFECT_GROUPS[word].action, name=way, text=call.name)
        return
    places = [(found[0], _argument(call, found[1]), found[2]) for found in _PLACE.finditer(what)]
    if all(_words(given) for _, given, _ in places):
        for place, given, quoted in places:
            said = _words(given)
            what = what.replace(place, as_word(said) if quoted else said)
        yield Act("shell", what)


def _words(given: Thing) -> str:
    """The first text that it may be; of a list, all of it."""
    if given.items is not None:
        return " ".join(shown_as(each)[0] for each in given.items)
    return given.texts[0] if given.texts else ""
