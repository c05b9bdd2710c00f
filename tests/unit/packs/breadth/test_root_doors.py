"""A shell as root behind a program that runs what it is told, whether that program is known or not."""

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "line",
    [
        "sudo env /bin/sh -p",
        "sudo ionice -c3 /bin/sh -p",
        "sudo sh -ip",
        "sudo bash --norc -x",
        "sudo frobwrap --level 3 /bin/sh",
        "sudo frobwrap bash",
        "doas frobwrap -n 5 zsh",
        "sudo start-stop-daemon -n $RANDOM -S -x /bin/sh -- -p",
        "sudo apt-get update -o APT::Update::Pre-Invoke::=/bin/sh",
        "sudo emacs -Q -nw --eval '(term \"/bin/sh\")'",
        "sudo dmsetup ls --exec '/bin/sh -s'",
        "echo 'exec /bin/sh <@stdin >@stdout 2>@stderr' | sudo tclsh",
        "echo /bin/sh | sudo hping3",
        'sudo node -e \'require("child_process").spawn("/bin/sh", {stdio: [0,1,2]})\'',
        "sudo sftp -o ProxyCommand='/bin/sh 0<&2 1>&2' host",
        "sudo /bin/bash < /dev/tty",
        "sudo tclsh",
        "sudo python3.12",
    ],
)
def test_a_shell_as_root_is_asked_about_whatever_starts_it(line: str) -> None:
    assert decide(line) >= Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "sudo ls -l /bin/sh",
        "sudo cp /bin/sh rootfs/bin/",
        "sudo grep -rl '#!/bin/sh' /usr/local/bin",
        "sudo make install SHELL=/bin/bash",
        "sudo apt-get install -y bash",
        "sudo frobpkg install zsh",
        "sudo dpkg-reconfigure dash",
        "sudo frobwrap /bin/sh -c 'make test'",
        "sudo frobwrap /bin/bash build.sh",
        "sudo bash build.sh",
        "sudo bash -n build.sh",
        "sudo env FOO=1 bash -c 'make test'",
        'sudo python3 -c \'import subprocess; subprocess.run(["/bin/sh", "-c", "make test"])\'',
        "sudo tee /usr/local/bin/mytool <<< '#!/bin/sh'",
        "frobwrap --level 3 /bin/sh",
        "sudo python3 --version",
        "sudo tmux ls",
    ],
)
def test_a_shell_that_is_named_or_given_a_command_is_not(line: str) -> None:
    assert decide(line) is Decision.CONTINUE
