"""The spelled-out names and the rules that go by a name hold together, in both directions."""

import re
from collections.abc import Iterator

import pytest

from fairlead.packs.places import agent_settings, secret_paths
from fairlead.packs.places.agent_settings import is_agent_settings
from fairlead.packs.places.secret_paths import is_secret
from fairlead.packs.places.startup_files import runs_by_itself, spelled_out
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, exact_target
from fairlead.shell.protected import spelled_names
from fairlead.shell.protected.login_files import TABLE
from fairlead.shell.protected.spelled_paths import in_home, in_project, of_agents, spelled_paths
from fairlead.shell.script import Word

HOME, PROJECT = "/home/somebody", "/home/somebody/project"
WHERE = Surroundings(PROJECT, HOME, (f"{HOME}/.config/fairlead",))


def alternatives(pattern: str) -> Iterator[str]:
    """What a pattern lists at its top, in brackets or not: `a|b(?:c|d)` gives `a`, `bc` and `bd`."""
    depth, begun, escaped, inside = 0, 0, False, False
    for index, char in enumerate(pattern):
        if escaped or char == "\\":
            escaped = not escaped
        elif inside or char == "[":
            inside = char != "]"
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            yield from spread(pattern[begun:index])
            begun = index + 1
    yield from spread(pattern[begun:])


def spread(pattern: str) -> Iterator[str]:
    """One pattern for each choice of its first group that is not optional and holds no further one."""
    group = re.search(r"(?<!\\)\(\?:((?:[^()\\]|\\.)*\|(?:[^()\\]|\\.)*)\)(?!\?)", pattern)
    if group is None:
        yield pattern
        return
    for choice in group[1].split("|"):
        yield from spread(f"{pattern[: group.start()]}(?:{choice}){pattern[group.end() :]}")


def listed(source: str, begin: str, end: str) -> list[str]:
    assert source.startswith(begin)
    assert source.endswith(end)
    return list(alternatives(source[len(begin) : len(source) - len(end)]))


def home_paths() -> list[str]:
    return [f"{HOME}/{name}" for name in in_home()]


def system_paths() -> list[str]:
    return [f"/{name}" for name in spelled_names.SYSTEM]


def anywhere() -> list[str]:
    return [f"{PROJECT}/{name}" for name in spelled_names.ANYWHERE] + home_paths() + system_paths()


@pytest.mark.parametrize("name", sorted(spelled_names.STARTUP))
def test_what_is_spelled_out_as_running_by_itself_does(name):
    assert runs_by_itself(f"{HOME}/{name}")


@pytest.mark.parametrize("name", sorted(spelled_names.SECRETS))
def test_what_is_spelled_out_as_key_material_is(name):
    assert is_secret(f"{HOME}/{name}")


@pytest.mark.parametrize("name", sorted(spelled_names.ANYWHERE))
def test_what_is_spelled_out_as_secret_anywhere_is(name):
    assert is_secret(f"{PROJECT}/{name}")


def test_what_is_spelled_out_as_an_agents_settings_is():
    assert [name for name in of_agents() if not is_agent_settings(f"{HOME}/{name}")] == []


@pytest.mark.parametrize("name", sorted(spelled_names.SYSTEM))
def test_what_is_spelled_out_of_the_system_is_known(name):
    assert is_secret(f"/{name}") or is_agent_settings(f"/{name}")


@pytest.mark.parametrize("name", sorted(spelled_names.GUARD))
def test_what_is_spelled_out_of_the_guard_is_its_place(name):
    assert exact_target(Word(""), f"{HOME}/{name}", WHERE).place is Place.GUARD


@pytest.mark.parametrize("name", sorted(spelled_names.VERSION_CONTROL))
def test_what_is_spelled_out_of_version_control_is_its_place(name):
    assert exact_target(Word(""), f"{PROJECT}/{name}", WHERE).place in (Place.VCS, Place.GUARD)


STARTUP = [path for files in TABLE if not files.holding for path in files.paths.split()]
NAMES = listed(secret_paths._NAMES._source, "^(?:", ")$")
PLACES = listed(secret_paths._PLACES._source, "/(?:", ")$")
ABSOLUTE = listed(secret_paths._ABSOLUTE._source, "^/(?:", ")$")
FOLDERS = list(alternatives(agent_settings._FOLDERS))
SETTINGS = list(alternatives(agent_settings._NAMES))
ELSEWHERE = list(alternatives(agent_settings._ELSEWHERE._source))


@pytest.mark.parametrize("pattern", STARTUP)
def test_everything_that_runs_by_itself_is_spelled_out(pattern):
    fits = re.compile(spelled_out(pattern))
    assert any(fits.fullmatch(name) for name in in_home())


@pytest.mark.parametrize("pattern", NAMES)
def test_every_secret_name_is_spelled_out(pattern):
    assert any(re.match(f"^(?:{pattern})$", path.rsplit("/", 1)[-1], re.I) for path in anywhere())


@pytest.mark.parametrize("pattern", PLACES)
def test_every_place_of_key_material_is_spelled_out(pattern):
    assert any(re.search(f"/(?:{pattern})$", path) for path in home_paths())


@pytest.mark.parametrize("pattern", ABSOLUTE)
def test_all_key_material_of_the_system_is_spelled_out(pattern):
    homes = [f"{home}/{name}" for home in (HOME, "/Users/somebody") for name in in_home()]
    assert any(re.search(f"^/(?:{pattern})$", path) for path in (*homes, *system_paths()))


@pytest.mark.parametrize("pattern", FOLDERS)
def test_every_agents_folder_is_spelled_out(pattern):
    assert any(re.fullmatch(pattern, folder, re.I) for folder in spelled_names.AGENT_FOLDERS)


@pytest.mark.parametrize("pattern", SETTINGS)
def test_every_name_of_an_agents_settings_is_spelled_out(pattern):
    assert any(re.fullmatch(pattern, name, re.I) for name in spelled_names.AGENT_NAMES)


@pytest.mark.parametrize("pattern", ELSEWHERE)
def test_all_settings_of_agents_elsewhere_are_spelled_out(pattern):
    paths = [f"{HOME}/{name}" for name in of_agents()] + system_paths()
    assert any(re.search(pattern, path, re.I) for path in paths)


def test_the_patterns_are_taken_apart():
    assert min(len(found) for found in (STARTUP, NAMES, PLACES)) > 50
    assert list(alternatives(r"a\|b|c(?:d|e)f|[|(]x(?:/.*)?")) == [
        r"a\|b", "c(?:d)f", "c(?:e)f", "[|(]x(?:/.*)?"
    ]  # fmt: skip


def test_each_folder_on_the_way_to_a_protected_path_is_known():
    spelled = spelled_paths(WHERE)
    assert "id_rsa" in spelled.names_in(f"{HOME}/.ssh")
    assert {".ssh", ".config", ".claude"} <= spelled.names_in(HOME)
    assert {".git", ".claude"} <= spelled.names_in(PROJECT)
    assert "fairlead" in spelled.names_in(f"{HOME}/.config")
    assert {f"{PROJECT}/{name}" for name in in_project()} <= set(spelled.below(PROJECT))
    assert {f"{HOME}/{name}" for name in in_home()} <= set(spelled.below(HOME))
    assert f"{HOME}/.ssh/id_rsa" in spelled.below("/")
