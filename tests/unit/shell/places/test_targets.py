from pathlib import Path

import pytest

from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word, Wrapper
from fairlead.shell.unknown import Kind, Unknown

ROOT = "/home/no-one/project"
HERE = Surroundings(ROOT, "/home/no-one", ("/home/no-one/.config/fairlead",))


def place(text: str, *, cwd: str | None = ROOT, glob: bool = False, where: Surroundings = HERE) -> Place:
    return resolve(Word(text, glob=glob), Command((), cwd), where).place


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/app.py", Place.PROJECT),
        (".", Place.PROJECT_ROOT),
        ("src/..", Place.PROJECT_ROOT),
        ("..", Place.HOME_ROOT),
        ("../other", Place.HOME),
        (".git", Place.VCS),
        ("vendor/lib/.git/config", Place.VCS),
        ("build", Place.GENERATED),
        ("web/node_modules/x", Place.GENERATED),
        ("a.pyc", Place.GENERATED),
        (".fairlead/hooks", Place.GUARD),
        ("/tmp", Place.TEMPORARY_ROOT),
        ("/tmp/x", Place.TEMPORARY),
        ("/tmp/../etc", Place.SYSTEM),
        ("/dev/hvc0", Place.SINK),
        ("/dev/ttyS1", Place.SINK),
        ("/dev/ptyp0", Place.SINK),
        ("/dev/ttyUSB0", Place.DEVICE),
        ("/dev/hvc0x", Place.DEVICE),
        ("/home/no-one", Place.HOME_ROOT),
        ("/home/no-one/notes.txt", Place.HOME),
        ("/home/other/notes.txt", Place.HOME),
        ("/home/no-one/.cache/pip", Place.CACHE),
        ("/home/no-one/.config/fairlead/x", Place.GUARD),
        ("/", Place.ROOT),
        ("//", Place.ROOT),
        ("/etc/hosts", Place.SYSTEM),
        ("/usr/local/bin/x", Place.LOCAL),
        ("/data/x", Place.OUTSIDE),
        ("/dev/null", Place.SINK),
        ("/dev/sda", Place.DEVICE),
        ("C:\\Users", Place.SYSTEM),
    ],
)
def test_a_path_is_placed_by_where_it_leads(text: str, expected: Place) -> None:
    assert place(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*", Place.PROJECT_ROOT),
        ("./*", Place.PROJECT_ROOT),
        (".[!.]*", Place.PROJECT_ROOT),
        ("!(keep)", Place.PROJECT_ROOT),
        ("*.pyc", Place.GENERATED),
        ("*.py", Place.PROJECT),
        ("src/*", Place.PROJECT),
        ("/[e]tc", Place.SYSTEM),
        ("/h??e/u*", Place.SYSTEM),
        ("/tmp/build-*", Place.TEMPORARY),
        ("/tmp/*", Place.TEMPORARY_ROOT),
        ("/home/no-one/*", Place.HOME_ROOT),
    ],
)
def test_a_glob_is_placed_by_its_fixed_part(text: str, expected: Place) -> None:
    assert place(text, glob=True) is expected


def test_a_link_counts_as_what_it_points_to(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (project / "build").symlink_to(outside)
    where = Surroundings(str(project), "/home/no-one")
    found = resolve(Word("build"), Command((), str(project)), where)
    assert found.real == str(outside)
    assert found.place is not Place.PROJECT


def test_what_is_not_known_is_unknown() -> None:
    assert resolve(Word("", opaque=Unknown(Kind.UNSET)), Command((), ROOT), HERE).place is Place.UNKNOWN
    assert place("x", cwd=None) is Place.UNKNOWN
    assert (
        resolve(Word("src/$x", opaque=Unknown(Kind.UNSET), prefix="src/"), Command((), ROOT), HERE).place
        is Place.UNKNOWN
    )
    assert (
        resolve(Word("/etc/$x", opaque=Unknown(Kind.UNSET), prefix="/etc/"), Command((), ROOT), HERE).place
        is Place.SYSTEM
    )
    assert (
        resolve(Word("build/$x", opaque=Unknown(Kind.UNSET), prefix="build/"), Command((), ROOT), HERE).place
        is Place.GENERATED
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/srv", Place.REMOTE_ROOT),
        ("/tmp/x", Place.TEMPORARY),
        ("build", Place.TEMPORARY),
        ("/dev/sda", Place.DEVICE),
    ],
)
def test_on_another_machine_only_the_words_are_known(text: str, expected: Place) -> None:
    command = Command((), None, wrappers=(Wrapper("ssh", (), "ssh:host"),))
    assert resolve(Word(text), command, HERE).place is expected


@pytest.mark.parametrize("root", ["/", "/home/no-one", "/home", "/tmp", "", "/etc"])
def test_a_root_that_is_no_project_protects_as_if_there_were_none(root: str) -> None:
    where = Surroundings(root, "/home/no-one")
    assert place("/home/no-one/Documents", where=where) is Place.HOME
    assert place("/etc/hosts", where=where) is Place.SYSTEM


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("/out", Place.GENERATED),
        ("/../out", Place.GENERATED),
        ("/..", Place.PROJECT_ROOT),  # where the variable holds nothing
        ("/../..", Place.HOME_ROOT),
        ("/../../../../../etc/passwd", Place.SYSTEM),
        ("/../../../../..", Place.ROOT),
    ],
)
def test_what_follows_an_unknown_part_may_lead_out_of_a_harmless_folder(ending: str, expected: Place) -> None:
    unset = Unknown(Kind.UNSET, "X")
    word = Word(
        f"build/$X{ending}", unset, "build/", pieces=(("build/", None), ("$X", unset), (ending, None))
    )
    assert resolve(word, Command((), ROOT), HERE).place is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("build/*/../..", Place.PROJECT_ROOT),
        ("build/*/../../..", Place.HOME_ROOT),
        ("build/*/../x", Place.GENERATED),
        ("src/*/../../build/*", Place.GENERATED),
    ],
)
def test_what_follows_a_pattern_may_lead_out_of_a_harmless_folder(text: str, expected: Place) -> None:
    assert place(text, glob=True) is expected
