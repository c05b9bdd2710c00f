"""What the daemon has loaded before its first call."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import sys, tempfile
from fairlead.doors.daemon.process import warm_up
from fairlead.doors.hook.systems import Systems
from fairlead.policy.places import find_places
warm_up(Systems(find_places(tempfile.mkdtemp()), lasting=True))
from fairlead.shell.programs.compiled.index import FAMILY_OF
families = set(FAMILY_OF.values())
print([name for name in sorted(families) if f"fairlead.shell.programs.compiled.{name}" not in sys.modules])
"""


def test_no_call_waits_for_a_table_of_the_guards() -> None:
    ran = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


_FIRST_CALL = """
import tempfile
from fairlead.doors.daemon.process import warm_up
from fairlead.doors.hook.systems import Systems
from fairlead.policy.places import find_places
systems = Systems(find_places(tempfile.mkdtemp()), lasting=True)
warm_up(systems)
policy = systems.compiled("/", "claude").policy
systems.journal.write({"v": 1})
print(policy.changed())
"""


def test_what_the_first_call_leaves_is_no_change_of_the_policy() -> None:
    ran = subprocess.run([sys.executable, "-c", _FIRST_CALL], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
