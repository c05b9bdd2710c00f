"""Texts that fuzzing found: what no shell would accept is opaque, and breaks nothing."""

from __future__ import annotations

import pytest

from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script

TEXTS = (
    (
        "declare -A m=([$(${ /dev/sda && declare -A m=([-n]=1))]=1) &"
        " \ud7ff$''$(?=clean & make -exec a b >|reset\ndd >|+ && -n)'\\x41\\n"
        "'"
    ),
    (
        'declare -A m=(["$(npm -e -exec -delete <-n & ` build\n<( ..)"'
        "]=1) |& x1=$(print(1) \xe9 --force -I{} <; |& 'build; ;; --forc"
        "e | )--)"
    ),
    "newtool sync ------",
    "\u00e9 $(",
    "\ue000" + "9" * 5000 + "\ue001",
    "exec 3> a; ls >\u00b2",
    "shift \u00b2",
    f"shift {'9' * 5000}",
    "echo $((\u00b2))",
    "a[\u00b2]=1; a+=(b)",
    f"a[{'9' * 5000}]=1; a+=(b)",
    "GIT_CONFIG_COUNT=\u00b2 git log",
    f"GIT_CONFIG_COUNT={'9' * 5000} git log",
    f"echo ${{{'9' * 5000}}}",
    f"ls {'9' * 5000}>a",
)


@pytest.mark.parametrize("cwd", ["/home/no-one/project", "/", ""])
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_makes_no_sense_is_read_to_its_end(text, cwd):
    script = read_script(text, cwd=cwd, home="/home/no-one")
    assert all(
        effect.action for effect in effects_of(script, Surroundings("/home/no-one/project", "/home/no-one"))
    )
