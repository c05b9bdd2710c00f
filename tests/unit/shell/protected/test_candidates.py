"""What a glob may stand for: on the disk, and among protected names."""

import os

import pytest

from fairlead.shell.places import world
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.protected.candidates import GlobOptions, candidates, in_other_letters
from fairlead.shell.protected.spelled_paths import spelled_paths
from fairlead.shell.script import Command, Word

READS, WRITES = GlobOptions(), GlobOptions(writes=True)


@pytest.fixture
def where(tmp_path):
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    return Surroundings(str(home / "project"), str(home))


def found(where, pattern, options=READS, folder=""):
    top = folder or where.home
    paths = candidates(top, pattern, spelled_paths(where), options)
    return {each.path.removeprefix(f"{top}/") for each in paths}


def test_what_is_on_the_disk_is_found(where, tmp_path):
    (tmp_path / "home" / "a.txt").write_text("x")
    assert found(where, "*") == {"a.txt", "project"}


def test_what_is_spelled_out_need_not_be_there(where):
    assert ".ssh/id_rsa" in found(where, ".ss*/*")


def test_a_name_behind_a_glob_may_be_any(where):
    assert ".ssh/my-key" in found(where, ".ss*/my-key")


def test_a_glob_that_fits_nothing_stands_for_itself(where):
    assert found(where, ".ssh/zz*") == {".ssh/zz*"}


@pytest.mark.parametrize("pattern", ["*", ".*", ".config/*", "*.json", ".config/*/config.json", ".*/*"])
def test_a_read_of_anything_means_only_what_is_there(where, pattern):
    assert not {".netrc", ".config/hub", "opencode.json", ".config/netlify/config.json"} & found(
        where, pattern
    )


def test_a_write_may_be_the_first_one(where):
    assert "settings.json" in found(where, "*", WRITES, folder=f"{where.home}/.claude")
    assert ".claude/settings.json" in found(where, ".*/settings.json", WRITES)
    assert "fairlead" not in found(where, "*", WRITES, folder=f"{where.home}/.config")


def test_few_letters_mean_no_name_at_the_top_of_a_project(where):
    assert "crush.json" not in found(where, "c*", WRITES, folder=where.project)
    assert "crush.json" in found(where, "cru*", WRITES, folder=where.project)
    assert ".git" in found(where, ".g*", WRITES, folder=where.project)


def test_two_stars_reach_what_is_spelled_out_below(where):
    assert ".local/state/fairlead/off" in found(where, "**/fair*/off", WRITES)
    assert found(where, "**/__pycache__", WRITES) == {"__pycache__", "project/__pycache__"}


def test_a_tool_that_lists_by_itself_does_not_look(where, tmp_path):
    before = world.looks()
    assert found(where, "*.json", GlobOptions(look=False)) == {"*.json"}
    assert world.looks() == before


def test_dotglob_and_nocaseglob_count(where, tmp_path):
    (tmp_path / "home" / ".netrc").write_text("x")
    assert ".netrc" in found(where, "*", GlobOptions(dotted=True))
    assert ".ssh/id_rsa" in found(where, ".SS*/ID*", GlobOptions(ignore_case=True))


def test_a_link_is_marked_and_a_folder_too(where, tmp_path):
    (tmp_path / "home" / "link").symlink_to(tmp_path)
    marked = {
        each.path.rsplit("/", 1)[-1]: each
        for each in candidates(where.home, "*", spelled_paths(where), READS)
    }
    assert marked["link"].linked
    assert marked["project"].folder


def test_letters_of_the_other_case_become_those_of_the_name(where):
    spelled = spelled_paths(where)
    assert in_other_letters(f"{where.home}/.SSH/Other", spelled) == f"{where.home}/.ssh/Other"


def test_a_folder_of_thousands_is_read_up_to_a_bound(where, tmp_path, monkeypatch):
    monkeypatch.setattr(world, "MAX_ENTRIES", 10)
    for number in range(20):
        (tmp_path / "home" / f"n{number}").write_text("")
    assert len(found(where, "n*")) <= 10


def test_a_folder_named_like_a_glob_is_that_folder_where_it_is_there(where):
    folder = f"{where.project}/[slug]"
    command = Command((), folder)
    assert resolve(Word("page.tsx"), command, where).pattern == "[slug]/page.tsx"
    os.mkdir(folder)
    assert resolve(Word("page.tsx"), command, where).path == f"{folder}/page.tsx"
