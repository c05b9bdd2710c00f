from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairlead.doors.cli.commands.looking_back.report import command
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.reporting.reduction import Reducer, masked
from fairlead.journal.reader import read_records
from played_sessions import Played

AWS = "AKIA" + "IOSFODNN7ABCDEFG"
SECRETS = [
    "ghp_" + "a1B2" * 9,
    AWS,
    "hunter2-not-of-any-form",
    "xoxb-" + "123456789012-abcdefABCDEF",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "correct horse battery staple",
    "s3cr3t",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "postgres://admin:pa55w0rd@db.internal.acme.example/prod",
    "jane.doe@acme.example",
    "10.13.37.99",
    "buildhost07.acme.example",
    "/home/janedoe/clients/globex",
    "пароль-Ünïcödé",
    "4111 1111 1111 1111",
]


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path)
    yield made
    made.close()


def report(played: Played, line: str) -> str:
    played.event("PreToolUse", line, "s1")
    newest = list(read_records(str(played.home / "state" / "journal")))[-1]
    done = CliRunner().invoke(command, [str(newest["id"])], obj=Session(str(played.home)))
    return done.output + str(done.exception or "")


@pytest.mark.parametrize("secret", SECRETS)
def test_nothing_private_is_in_a_report(played: Played, secret: str) -> None:
    lines = [
        f"export TOKEN='{secret}' && git push --force origin main",
        f"git push --force 'https://x:{secret}@github.com/acme/x' main",
        f"echo '{secret}' > /tmp/k; rm -rf ~/'{secret}'",
    ]
    for line in lines:
        text = report(played, line)
        assert secret not in text
        parts = [part for part in secret.replace("@", " ").replace("/", " ").split() if len(part) > 4]
        assert not any(part in text for part in parts if part not in ("admin", "example"))


def kept(*needed: str) -> Reducer:
    return Reducer(lambda text: all(word in text for word in needed), lambda word: word == "git")


def test_what_does_not_matter_is_left_out() -> None:
    assert kept("push").reduced("cd a; git push origin main | tee log && ls") == "push"


def test_a_known_word_goes_or_stays_as_it_is() -> None:
    assert kept(" push").reduced("git push") == "git push"


def test_a_word_that_matters_keeps_its_form() -> None:
    assert kept(".env").reduced("cat config/.env.production") == ".env.x"


def test_the_work_is_bounded_and_says_so() -> None:
    asked: list[str] = []

    def keeps(text: str) -> bool:
        asked.append(text)
        return False

    reducer = Reducer(keeps, lambda word: False, tries=10)
    assert reducer.reduced(" ".join("abcdefghijklmnopqrstuvwxyz")) == " ".join("abcdefghijklmnopqrstuvwxyz")
    assert reducer.exhausted and len(asked) == 10
    assert Reducer(keeps, lambda word: False, seconds=-1).reduced("a b") == "a b" and len(asked) == 10


def test_what_is_masked_shows_programs_and_signs_alone() -> None:
    assert masked("git push 'acme co' --to=é", lambda word: word == "git") == "git x 'x x' --x=x"
