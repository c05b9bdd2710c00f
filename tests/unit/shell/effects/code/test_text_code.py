"""Code in languages that are read as text: what it does is known by names, literals and connections.

The commands are in `text_code.txt`. The line above each says what it does: an action with its target or name,
an action with any, or `not` and actions that it does not take.
"""

from pathlib import Path

import pytest

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script

HOME = "/home/no-one"
ROOT = f"{HOME}/project"
COMMANDS = [
    (told, command)
    for part in Path(__file__).with_name("text_code.txt").read_text().split("### ")[1:]
    for told, _, command in [part.partition("\n")]
]


def effects(command: str) -> set[tuple[str, str]]:
    script = read_script(command, cwd=ROOT, home=HOME, environment={"HOME": HOME})
    found = effects_of(script, Surroundings(ROOT, HOME))
    return {
        (str(e.action), e.target.path if e.target else e.name) for e in found if e.action is not Action.LIST
    }


@pytest.mark.parametrize(("told", "command"), [each for each in COMMANDS if not each[0].startswith("not ")])
def test_what_code_of_any_language_does_is_seen(told: str, command: str) -> None:
    action, _, target = told.partition(" ")
    found = effects(command)
    assert (action, target) in found if target else action in {action for action, _ in found}


@pytest.mark.parametrize(("told", "command"), [each for each in COMMANDS if each[0].startswith("not ")])
def test_code_that_speaks_with_its_own_machine_alone_is_let_be(told: str, command: str) -> None:
    assert not set(told.split()[1:]) & {action for action, _ in effects(command)}


def test_settings_that_are_loaded_and_not_shown_are_not_read() -> None:
    loaded = "require('dotenv').config();"
    used = "new (require('pg').Client)().query('select 1').then(r => console.log(r.rows))"
    assert ("read", f"{ROOT}/.env") not in effects(f'node -e "{loaded}{used}"')
    assert ("read", f"{ROOT}/.env") in effects(f'node -e "{loaded}console.log(process.env)"')
