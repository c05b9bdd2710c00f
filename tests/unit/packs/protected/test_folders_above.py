"""Folders that the guard lives in, and what may be done to them."""

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.packs.judging import call_effects as call
from fairlead.packs.protected.folders_above import locks_out
from tests.unit.packs.guard_kit import judge, shell_event


@pytest.fixture(params=["/home/no-one", "/root", "/Users/user"])
def home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(call, "home_of_user", lambda: request.param)
    return str(request.param)


def decide(line: str, home: str) -> Decision:
    return judge(shell_event(line, root=f"{home}/project")).decision


@pytest.mark.parametrize("folder", ["~/.local", "~/.config", "~/.local/share", "~/.local/state"])
@pytest.mark.parametrize(
    "line",
    [
        "mv {} ~/.l2",
        "mv {} /tmp/x",
        "rm -rf {}",
        "rmdir {}",
        "chmod 000 {}",
        "chmod 0500 {}",
        "chmod a-x {}",
        "chmod u-w {}",
        "chmod -R a-w {}",
        "chmod -R 644 {}",
        "chmod --reference=/etc/shadow {}",
        "chattr +i {}",
        "setfacl -m u::--- {}",
        "ln -sfn /tmp/x {}",
        "ln -sfT /tmp/x {}",
        "sudo mount --bind /tmp/x {}",
        "sudo mount -t tmpfs none {}",
        "sudo umount -l {}",
        "sudo chown nobody {}",
        "sudo chown -R nobody:nogroup {}",
        "mv -T new {}",
        "find {} -delete",
        "rsync -a --delete empty/ {}/",
        "python3 -c \"import os; os.rename(os.path.expanduser('{}'), '/tmp/x')\"",
        "python3 -c \"import os; os.chmod(os.path.expanduser('{}'), 0)\"",
        "python3 -c \"import shutil, os; shutil.rmtree(os.path.expanduser('{}'))\"",
    ],
)
def test_it_is_not_taken_away_replaced_or_locked(line: str, folder: str, home: str) -> None:
    assert decide(line.format(folder), home) is Decision.BLOCK


@pytest.mark.parametrize("folder", ["~/.local", "~/.config", "~/.local/share", "~/.local/state"])
@pytest.mark.parametrize(
    "line",
    [
        "mkdir -p {}",
        "mkdir -p {}/app/themes",
        "touch {}",
        "chmod 755 {}",
        "chmod 0700 {}",
        "chmod u+x {}",
        "chmod u+rwx,go-w {}",
        "chmod -R u+rwX {}",
        "chown -R $USER {}",
        'sudo chown -R "$USER:$USER" {}',
        "sudo chown -R $(whoami) {}",
        "sudo chown -R $(id -u):$(id -g) {}",
        "chgrp users {}",
        "setfacl -m u:bob:rx {}",
        "cp theme.toml {}/app/",
        "tar -xf app.tar -C {}/app",
        "ls -la {}",
        "find {} -name '*.toml'",
        "mv {}/app/old.toml {}/app/new.toml",
        "mv theme.toml {}",
        "ln -s $PWD/theme.toml {}/app/theme.toml",
        "python3 -c \"import os; os.makedirs(os.path.expanduser('{}/app'), exist_ok=True)\"",
        "python3 -c \"import os; os.chmod(os.path.expanduser('{}'), 0o755)\"",
    ],
)
def test_it_is_made_and_filled_as_every_day(line: str, folder: str, home: str) -> None:
    assert decide(line.replace("{}", folder), home) is Decision.CONTINUE


@pytest.mark.parametrize("line", ["mv /home/other/.local /home/other/x", "chmod 000 /root/.config"])
def test_those_of_other_homes_are_held_as_well(line: str) -> None:
    assert decide(line, "/home/no-one") is Decision.BLOCK


def test_a_glob_that_stands_for_one_is_one(home: str) -> None:
    assert decide("chmod 000 ~/.loc*", home) is Decision.BLOCK
    assert decide("mv ~/.local/sh* /tmp/x", home) is Decision.BLOCK


def test_a_link_goes_into_a_folder_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call, "home_of_user", lambda: str(tmp_path))
    monkeypatch.setattr("fairlead.shell.places.targets._TEMPORARY", ())
    (tmp_path / ".config").mkdir()
    assert decide("ln -s $PWD/theme.toml ~/.config", str(tmp_path)) is Decision.CONTINUE
    assert decide("ln -s /tmp/x ~/.local", str(tmp_path)) is Decision.BLOCK
    assert decide("ln -s $PWD/.bashrc ~/", str(tmp_path)) is Decision.BLOCK


@pytest.mark.parametrize("mode", ["755", "0700", "1777", "u+x", "+x", "go-w", "u=rwx,go=", "u=rwX", "o-x"])
def test_a_mode_that_leaves_the_owner_everything_locks_nobody_out(mode: str) -> None:
    assert not locks_out("chmod", mode)


@pytest.mark.parametrize("mode", ["0", "000", "600", "555", "-x", "a-w", "a=", "=r", "u-r,u+x", "", "$M"])
def test_any_other_mode_or_an_unknown_one_does(mode: str) -> None:
    assert locks_out("chmod", mode)


@pytest.mark.parametrize(
    "line",
    [
        "touch ~/.local/st*/f*/off",
        "chmod -x ~/.local/sha*/fair*/bin/*",
        "echo x >> ~/.local/share/f*/*/lib/x.py",
        "rm ~/.conf*/fairlead/hooks/x",
    ],
)
def test_a_glob_that_reaches_into_the_guard_is_held(line: str, home: str) -> None:
    assert decide(line, home) is Decision.BLOCK


def test_a_glob_beside_it_is_not(home: str) -> None:
    assert decide("chmod +x ~/.local/share/app*/bin/*", home) is Decision.CONTINUE


def test_a_name_that_is_not_known_is_no_folder_above(home: str) -> None:
    assert decide('mv ~/.config/"$APP" ~/.config/"$APP".old', home) is Decision.CONTINUE
    assert decide("chmod 000 ~/.loc$REST", home) is Decision.BLOCK
    assert decide("chmod 000 ~/.config/app-$REST", home) is Decision.CONTINUE
