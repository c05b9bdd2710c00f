"""Homes, disks and machines that are taken as a whole."""

import pytest

from tests.unit.packs.guard_kit import decide


@pytest.mark.parametrize(
    "line",
    [
        "alias ls='rm -rf ~'",
        "alias cd='sudo shutdown -h now'",
        "for i in {1..1000}; do (sleep 1000 &) ; done",
        "for p in $(seq 1024 65535); do nc -l $p & done",
        "cp -r / /tmp/backup",
        "tar -cf /tmp/all.tar /home /etc",
        'find / -name "*.conf" -exec cat {} \\;',
        "find /home -name '*.txt' -exec cp {} /tmp/loot/ \\;",
        "sudo ifconfig eth0 hw ether 00:11:22:33:44:55",
        "sudo cat /dev/input/event0 > /tmp/keys",
        "sudo dd if=/dev/sda of=/tmp/disk.img",
        "sudo debugfs /dev/sda1 -R 'cat /etc/shadow'",
    ],
)
def test_what_takes_a_whole_home_disk_or_machine_is_objected_to(line: str) -> None:
    assert decide(line).objects


@pytest.mark.parametrize(
    "line",
    [
        "alias rm='rm -i'",
        "alias gpf='git push --force-with-lease'",
        "for i in {1..100}; do curl -s localhost:3000/$i >/dev/null & done; wait",
        "for i in {1..1000}; do echo $i; done && echo done",
        "cp -r src /tmp/backup",
        "tar -cf /tmp/etc.tar /etc/nginx",
        'find . -name "*.conf" -exec cat {} \\;',
        "find / -name libssl.so -exec ls -la {} \\;",
        "sudo dd if=/dev/sda of=mbr.bin bs=512 count=1",
        "debugfs -R 'stat /etc/passwd' /dev/sda1",
        "rsync -a src/ /tmp/src/",
    ],
)
def test_parts_of_them_pass(line: str) -> None:
    assert not decide(line).objects
