import pytest

from fairlead.packs.places.secret_paths import is_secret
from fairlead.packs.places.startup_files import runs_by_itself

HOME = "/home/no-one"


@pytest.mark.parametrize(
    "path",
    [
        ".bashrc",
        ".config/fish/conf.d/x.fish",
        ".config/nvim/lua/plugins/x.lua",
        ".tmux.conf",
        ".psqlrc",
        ".ssh/authorized_keys2",
        ".config/systemd/user/x.timer",
        ".cargo/config.toml",
    ],
)
def test_what_runs_by_itself_is_known_by_its_place(path: str) -> None:
    assert runs_by_itself(f"{HOME}/{path}")


@pytest.mark.parametrize("path", [".config/myapp/config.yml", "project/tmux.conf.md", ".local/bin/x"])
def test_other_files_of_a_home_do_not_run_by_themselves(path: str) -> None:
    assert not runs_by_itself(f"{HOME}/{path}")


@pytest.mark.parametrize("name", [".env~", ".env.old", ".env-prod", "id_rsa.bak", "credentials.json.orig"])
def test_a_copy_that_was_left_beside_a_secret_is_one(name: str) -> None:
    assert is_secret(f"{HOME}/project/{name}")


@pytest.mark.parametrize(
    "name", [".env-example", ".env.sample~", "README.md.bak", "environment.yml", "env.ts"]
)
def test_a_copy_of_anything_else_is_not(name: str) -> None:
    assert not is_secret(f"{HOME}/project/{name}")
