"""The Debian package, by apt: this changes the system, so it runs for root alone, where it is asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from installers_kit import BEFORE, Newcomer, built, wheel_before, wheel_for_this_machine
from shipping.debian import make_debian_package

FAIRLEAD = Path("/usr/bin/fairlead")


def apt(*words: str | Path) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        ["apt-get", "-qq", "-y", "-o", "DPkg::Lock::Timeout=300", *map(str, words)],
        capture_output=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.skipif(
    os.environ.get("FAIRLEAD_APT") != "1" or os.geteuid() != 0,
    reason="FAIRLEAD_APT=1 installs by apt, as root",
)
@pytest.mark.skipif(shutil.which("apt-get") is None, reason="there is no apt here")
def test_apt_installs_upgrades_and_purges(newcomer: Newcomer, tmp_path: Path) -> None:
    before = make_debian_package(wheel_before(wheel_for_this_machine(), tmp_path), "amd64")
    assert BEFORE in before.name
    try:
        apt("install", before)
        assert newcomer.is_guarded(FAIRLEAD)
        apt("install", built("*_amd64.deb"))
        assert newcomer.is_guarded(FAIRLEAD)
        newcomer.purges(FAIRLEAD)
    finally:
        apt("purge", "fairlead")
    assert not FAIRLEAD.exists()
    assert list(Path("/usr/lib/python3/dist-packages").glob("fairlead*")) == []
    assert newcomer.left() == []
