"""A script that repeats a command."""

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script


def test_a_command_that_a_loop_repeats_is_judged_once() -> None:
    script = read_script(
        "for i in {1..50}; do nice rm -f /srv/a 2> /dev/null; done", cwd="/p", home="/home/user"
    )
    found = [e for e in effects_of(script, Surroundings("/p", "/home/user")) if e.action is Action.DELETE]
    assert len(script.commands) >= 50
    assert len(found) == 1
