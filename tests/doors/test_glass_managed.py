"""A machine that root manages: an ordinary user can break the glass with a code, and forge nothing.

Root's folders are laid over in a namespace of mounts of the test's own; the user may read everything, so that
the interpreter of the tests runs, and write nothing but their home.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_HERE = Path(__file__).resolve().parents[1]
_CAN = os.getuid() == 0 and shutil.which("unshare") and shutil.which("setpriv")
_APART = bool(_CAN) and subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not _APART, reason="NOT RUN: only root, with unshare and setpriv, can lay /etc over"),
]
SCRIPT = r"""
mount -t tmpfs none /mnt && mount -t tmpfs none {etc} && mount -t tmpfs none {var} || exit 90
chmod 755 /mnt {etc} {var}
(cat /etc/passwd; echo tester:x:12345:12345::/mnt/home:/bin/sh) > /mnt/passwd
mount --bind /mnt/passwd /etc/passwd || exit 91
mkdir -p /mnt/home/.local/state/fairlead /mnt/p/.git /mnt/bin /etc/fairlead/hooks
cp {client} /mnt/bin/fairlead-hook; echo interpreter=/nonexistent > /mnt/bin/fairlead-hook.record
{python} -m fairlead bundle codes --group web --count 1 --json > /mnt/codes.json
{python} -c '{write}'
chown -R 12345:12345 /mnt/home /mnt/p
cd /mnt/p
caps="-all,+dac_read_search"
as_user() {{ setpriv --reuid=12345 --regid=12345 --clear-groups --inh-caps=$caps --ambient-caps=$caps "$@"; }}
state=/mnt/home/.local/state/fairlead
calls() {{
    printf '%s' '{call}' | as_user {python} -I -m fairlead hook claude > /dev/null 2>&1; one=$?
    printf '{{}}' | as_user /mnt/bin/fairlead-hook claude PreToolUse > /dev/null 2>&1
    echo "$1 $one $?"
}}
calls before
echo 0 > $state/off; chmod 600 $state/off; chown 12345:12345 $state/off
calls plain
as_user {python} -c '{forge}'
calls own-policy
as_user {python} -I -m fairlead break-glass "$(cat /mnt/code)" --reason "the broker is down" 2> /dev/null
calls code
sed -i 's/^until=/until=9/' $state/off; chown 12345:12345 $state/off
calls longer
as_user {python} -I -m fairlead on 2> /dev/null
calls on
"""
WRITE = """
import json
code = json.load(open("/mnt/codes.json"))["codes"][0]
open("/mnt/code", "w").write(code["code"])
text = "forbid: [off, approve]\\nbreak_glass:\\n  codes:\\n    - " + code["entry"] + "\\n"
open("/etc/fairlead/hooks/managed.yaml", "w").write(text)
"""
FORGE = """
import sys
sys.path.insert(0, "{tests}")
from fairlead.policy.glass.marker import read_clock
from fairlead.policy.places import find_places
from glass_kit import code_in_force, marker_of, put_marker
places = find_places()
code, entry = code_in_force(places.state + "/fleet")
put_marker(places, marker_of(code, entry, read_clock()))
"""


def test_only_a_code_of_roots_breaks_the_glass(client: Path) -> None:
    call = {
        "session_id": "s1",
        "cwd": "/mnt/p",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /"},
    }
    words = {
        "etc": _made("/etc/fairlead"),
        "var": _made("/var/lib/fairlead"),
        "client": client,
        "python": sys.executable,
        "write": WRITE,
        "forge": FORGE.format(tests=_HERE),
        "call": json.dumps(call),
    }
    try:
        run = subprocess.run(
            ["unshare", "-m", "sh", "-c", SCRIPT.format(**words)], capture_output=True, text=True, timeout=300
        )
    finally:
        for made in (words["etc"], words["var"]):
            if not os.listdir(str(made)):
                os.rmdir(str(made))
    said = dict(line.split(" ", 1) for line in run.stdout.splitlines())
    refused, passed = "2 2", "0 0"
    assert said == {
        "before": refused,
        "plain": refused,
        "own-policy": refused,
        "code": passed,
        "longer": refused,
        "on": refused,
    }, run.stderr


def _made(folder: str) -> str:
    """A place to lay something over; what is there already stays."""
    os.makedirs(folder, exist_ok=True)
    return folder
