"""What a changed file did already when it was committed is the person's; what was added since is not."""

from pathlib import Path

import pytest

from tests.git_traps import git
from tests.unit.packs.project_files.project_kit import commit, put
from tests.unit.packs.session_kit import SessionOfCalls

MAKEFILE = "IMAGE = app\nnuke:\n\tdocker compose down -v\n\nclean:\n\trm -rf ~\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    put(root, "release.sh", "#!/bin/sh\nset -e\nnpm publish\n")
    commit(root, Makefile=MAKEFILE)
    return root


@pytest.fixture
def session(root: Path) -> SessionOfCalls:
    return SessionOfCalls(root)


def change(session: SessionOfCalls, name: str, content: str) -> None:
    path = session.path(name)
    assert not session.tool("Edit", file_path=path, old_string="a", new_string="b").decision.objects
    session.make(name, content=content)


def passes(session: SessionOfCalls, command: str) -> bool:
    return not session.run(command).decision.objects


def test_a_target_that_was_there_before_stays_the_persons(session: SessionOfCalls) -> None:
    change(session, "Makefile", f"{MAKEFILE}\ntest:\n\tgo test ./...\n")
    assert passes(session, "make nuke")


def test_what_the_session_added_is_judged_in_full(session: SessionOfCalls) -> None:
    change(session, "Makefile", f"{MAKEFILE}\nwipe:\n\tdocker volume rm data\n\npublish:\n\tnpm publish\n")
    assert not passes(session, "make wipe")
    assert not passes(session, "make publish")


def test_what_nobody_would_put_up_with_stops_as_before(session: SessionOfCalls) -> None:
    change(session, "Makefile", f"{MAKEFILE}\ntest:\n\tgo test ./...\n")
    assert not passes(session, "make clean")


def test_the_same_words_somewhere_else_are_something_else(session: SessionOfCalls) -> None:
    change(session, "release.sh", "#!/bin/sh\nset -e\ncd ../other\nnpm publish\n")
    assert not passes(session, "./release.sh")


def test_what_the_session_committed_itself_vouches_for_nothing(session: SessionOfCalls, root: Path) -> None:
    change(session, "Makefile", f"{MAKEFILE}\npublish:\n\tnpm publish\n")
    git(root, "commit", "-qam", "mine")
    change(session, "Makefile", f"{MAKEFILE}\npublish:\n\tnpm publish\n\n# more\n")
    assert not passes(session, "make publish")


def test_after_too_many_changes_nobody_knows_the_first(session: SessionOfCalls) -> None:
    for number in range(10):
        change(session, "Makefile", f"{MAKEFILE}\n# {number}\n")
    assert not passes(session, "make nuke")


def test_a_file_that_somebody_else_changed_is_judged_in_full(session: SessionOfCalls, root: Path) -> None:
    put(root, "Makefile", f"{MAKEFILE}\ntest:\n\tgo test ./...\n")
    assert not passes(session, "make nuke")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("psql app <<E\nDROP TABLE old;\nE\n", "psql app <<E\nDROP TABLE users;\nE\n"),
        ("echo 'drop table old' | psql app\n", "echo 'drop table users' | psql app\n"),
        ("aws s3 rb s3://old --force\n", "AWS_PROFILE=live aws s3 rb s3://old --force\n"),
        ("kubectl delete ns old\n", "ssh live kubectl delete ns old\n"),
    ],
)
def test_the_same_program_with_something_else_is_something_else(root: Path, before: str, after: str) -> None:
    put(root, "job.sh", f"#!/bin/sh\n{before}")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "job")
    session = SessionOfCalls(root)
    change(session, "job.sh", f"#!/bin/sh\n# again\n{before}")
    assert passes(session, "./job.sh")
    change(session, "job.sh", f"#!/bin/sh\n{after}")
    assert not passes(session, "./job.sh")
