"""What an installation with a home of its own protects, through every door."""

from pathlib import Path

import pytest
from installation import Installation, payload

from fairlead.policy.places import find_places

LINES = ("echo 0 > {}/state/off", "mv {}/state {}/s2", "rm -rf {}/config", "chmod 000 {}", "mv {} /tmp/x")


@pytest.mark.parametrize("line", LINES)
def test_a_home_of_its_own_is_protected_and_check_agrees(line: str, machine) -> None:
    command = line.replace("{}", str(machine.home))
    assert machine.hook(machine.bash(command)).returncode == 2
    assert machine.fairlead("check", command).returncode == 2


def test_the_default_places_are_protected_as_well(machine) -> None:
    command = f"echo 0 > {find_places().state}/off"
    assert machine.hook(machine.bash(command)).returncode == 2
    assert machine.fairlead("check", command).returncode == 2


def test_another_folder_is_anybodys(machine) -> None:
    command = f"mkdir -p {machine.home}x/state && echo 0 > {machine.home}x/state/off"
    assert machine.hook(machine.bash(command)).returncode == 0
    assert machine.fairlead("check", command).returncode == 0


@pytest.mark.slow
def test_the_daemon_protects_the_home_that_it_was_started_for(installation: Installation) -> None:
    installation.warm_up()
    for line in LINES:
        reply = installation.call(payload(line.replace("{}", str(installation.home))))
        assert reply.exit_code == 2
    assert (installation.daemon() or {})["calls"] == len(LINES)


@pytest.mark.slow
def test_the_interpreter_that_the_client_starts_is_protected(copied: Installation) -> None:
    copied.warm_up()
    site = copied.package.parent
    for path in (site / "yaml" / "__init__.py", site / "evil.pth", copied.python, copied.package / "x.py"):
        assert copied.call(payload(f"echo x > {path}")).exit_code == 2
    assert copied.call(payload(f"mv {Path(copied.python).parents[1]} /tmp/x")).exit_code == 2


@pytest.mark.slow
def test_settings_that_are_installed_later_are_protected_by_the_daemon_that_follows(
    installation: Installation,
) -> None:
    from installation import until

    first = installation.warm_up()["pid"]
    moved = installation.folder / "elsewhere" / "settings.json"
    line = payload(f"echo '{{}}' > {moved}")
    assert installation.call(line).exit_code == 0
    Path(installation.places.installed).write_text(f'{{"version": 1, "files": [{{"path": "{moved}"}}]}}')
    until(lambda: first not in installation.daemons())
    assert installation.call(payload(f"echo '{{}}' > {moved}", session="s2")).exit_code == 2
