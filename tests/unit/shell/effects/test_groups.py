"""Redirections of groups and loops, scripts of sed with an output in them."""

import pytest

from fairlead.model.decision import Decision
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    ("text", "emptied"),
    [
        ("{ echo a; } > f", False),
        ("for i in 1 2; do echo $i; done > f", False),
        ("{ :; } > f", True),
        ("> f", True),
    ],
)
def test_a_group_that_prints_does_not_empty_its_file(text: str, emptied: bool) -> None:
    script = read_script(text, cwd="/p", home="/home/me")
    actions = [effect.action for effect in effects_of(script, Surroundings("/p", "/home/me", ()))]
    assert (Action.TRUNCATE in actions) is emptied


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ('sed -i "s/$(node -p "require(\'./e\').e")/x/" a', Decision.CONTINUE),
        ('sed "s/x/$(cat y)/e" f', Decision.ASK),
        ('sed "s/x/$(cat y)/;e rm -rf /home/no-one" f', Decision.BLOCK),
    ],
)
def test_an_output_in_a_script_of_sed_is_no_script(command: str, decision: Decision) -> None:
    assert decide(command) is decision


def test_a_file_beside_a_listed_one_is_not_the_listed_one() -> None:
    beside = 'for f in $(git ls-files); do sort "$f" > "$f.tmp" && mv "$f.tmp" "$f"; done'
    assert decide(beside) < Decision.ASK
    assert decide('for f in $(git ls-files); do rm "$f"; done') is Decision.BLOCK
