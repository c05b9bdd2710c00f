"""A name is a guess; where the file behind it was read, what stands there counts instead."""

import pytest

from fairlead.model.installation import NOWHERE
from fairlead.packs.judging.call_effects import surroundings
from fairlead.packs.judging.followed_commands import is_followed
from fairlead.packs.judging.judge import find_matches
from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.rule import Scene
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.reader import read_script

FILES = {
    "/p/Makefile": "reset-db:\n\tpython tools/reset.py\nwipe-all: reset-db\n\tsometool volume delete v\n",
    "/p/bin/reset-db": "#!/bin/sh\necho resetting\n",
}


def script_of(text: str, files=FILES):
    return read_script(text, cwd="/p", home="/home/u", files=files.get)


def rules_of(text: str) -> set[str]:
    where = surroundings("/p", "/home/u", NOWHERE)
    script = script_of(text)
    scene = Scene(script, where, Inquiry())
    return {match.rule.id for match in find_matches(effects_of(script, where), ("cloud",), scene)}


@pytest.mark.parametrize("text", ["make reset-db", "make -s reset-db", "bin/reset-db", "./bin/reset-db"])
def test_what_was_read_is_not_guessed(text: str) -> None:
    script = script_of(text)
    assert is_followed(script.commands[0], script)
    assert rules_of(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "make db-drop",
        "bin/reset-all-databases",
        "sometool instance delete i-1",
        "bin/reset-db; sometool instance delete i-1",
        "make wipe-all",
        "RAILS_ENV=production bin/reset-db",
        "bin/reset-db --env prod",
        "make reset-db ENV=prod",
    ],
)
def test_what_was_not_read_or_is_told_to_work_where_people_do_is_asked_about(text: str) -> None:
    assert rules_of(text) == {"cloud/delete-by-name"}
