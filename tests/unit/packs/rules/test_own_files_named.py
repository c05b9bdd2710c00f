"""What names the guard's files in a way that nothing follows is asked about; who speaks of them is not."""

import pytest

from fairlead.model.decision import Decision
from fairlead.model.installation import Installation
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from tests.unit.packs.guard_kit import judge, shell_event

MARKER = "/home/me/.local/state/fairlead/off"


@pytest.mark.parametrize(
    "line",
    [
        f"strace -o {MARKER} true",
        f"/usr/bin/time -f 0 -o {MARKER} true",
        f"git checkout-index --prefix={MARKER[:-3]} off",
        f"awk 'BEGIN{{f=\"{MARKER}\"; print 0 > f}}'",
        f"python3 -m json.tool in.json {MARKER}",
        f'python3 -c \'p,m="{MARKER}","w"; open(p,m).write("0")\'',
        f"chroot / sh -c 'echo 0 > {MARKER}'",
        f"vim -es -c 'e {MARKER}' -c wq",
        f"GIT_TRACE={MARKER} git status",
    ],
)
def test_a_way_that_nobody_follows_is_asked_about(line: str) -> None:
    assert judge(shell_event(line)).decision >= Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        f"ls -l {MARKER}",
        f"cat {MARKER}",
        "rg fairlead/off src",
        f"git commit -m 'read {MARKER} once'",
        f"python3 -c \"print('rm {MARKER}')\"",
        f"echo {MARKER}",
    ],
)
def test_who_looks_or_speaks_is_not_asked(line: str) -> None:
    assert judge(shell_event(line)).decision is Decision.CONTINUE


def test_another_home_is_named_by_its_own_folders() -> None:
    event = shell_event("strace -o /srv/kept/state/off true")
    assert block_dangerous_commands(event, {}, ()) is None
    moved = Installation(named=("/srv/kept/state",))
    found = block_dangerous_commands(event.replace(session="again"), {}, (), moved)
    assert found is not None and found.rule == "self-protection/own-files-named"
