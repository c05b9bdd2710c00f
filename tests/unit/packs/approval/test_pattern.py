"""What one item of an `approve:` list means."""

from __future__ import annotations

import pytest

from fairlead.errors import PolicyError
from fairlead.packs.approval.pattern import Pattern, Patterns, read_options, read_pattern
from fairlead.packs.approval.starter_sets import patterns_of


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ("npm test", "npm test"),
        ("git commit *", "git commit"),
        ("git commit *", "git commit -m x --all"),
        ("npm run test:*", "npm run test:unit"),
        ("docker * logs", "docker web logs"),
        ({"program": "docker", "subcommand": "compose logs"}, "docker compose logs -f web"),
        ({"program": "terraform"}, "terraform plan"),
        ("git -c core.pager=cat log *", "git -c core.pager=cat log -3"),
        ("pytest -p no:cacheprovider *", "pytest -p no:cacheprovider -q"),
    ],
)
def test_an_item_means_a_command(item: object, line: str) -> None:
    assert read_pattern(item).fits(line.split())


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ("npm test", "npm test --silent"),
        ("npm test", "npm"),
        ("git commit *", "git -c x=y commit"),
        ("git commit *", "git commits"),
        ("git commit *", "/tmp/git commit"),
        ("docker * logs", "docker logs"),
        ("docker * logs", "docker a b logs"),
        ({"program": "docker", "subcommand": "compose logs"}, "docker --context prod compose logs"),
        ({"program": "docker", "subcommand": "compose logs"}, "docker compose up"),
        ("pytest *", "pytest -p evil"),
        ("pytest *", "pytest -qp evil"),
        ("pytest *", "pytest --rootdir=/tmp"),
        ("git diff *", "git diff --outp=x"),
        ("git diff *", "git diff --output=x"),
        ("git diff *", "git diff --textc"),
        ("go test *", "go test -exec ./x"),
        ("cargo *", "cargo --config x build"),
        ("make *", "make CC=./x"),
        ("find *", "find . -execdir sh"),
        ("sed *", "sed w"),
        ("bash *", "bash x.sh"),
        ("env *", "env sh"),
    ],
)
def test_an_item_means_nothing_else_and_a_star_no_word_that_runs_loads_or_writes(
    item: object, line: str
) -> None:
    assert not read_pattern(item).fits(line.split())


@pytest.mark.parametrize(
    "item",
    [
        "",
        "*",
        "* test",
        "-x",
        "FOO=1 npm test",
        "a;b",
        "$X",
        3,
        None,
        [],
        {},
        {"programm": "x"},
        {"program": 3},
        {"command": "npm test", "program": "npm"},
        {"command": "npm test", "in": "shop"},
        {"command": "npm test", "in": 3},
        {"in": "/home/me/shop"},
    ],
)
def test_what_is_no_command_is_refused(item: object) -> None:
    with pytest.raises(PolicyError):
        read_pattern(item)


@pytest.mark.parametrize(
    "item",
    [
        {"command": "npm run build", "in": "/home/me/shop"},
        {"program": "npm", "subcommand": "run build", "in": "/home/me/shop/"},
    ],
)
def test_an_item_for_one_project_counts_in_no_other(item: object) -> None:
    patterns = Patterns([read_pattern(item)])
    words = ["npm", "run", "build"]
    assert patterns.fitting(words, "/home/me/shop")
    assert not patterns.fitting(words, "/home/me/shop2")
    assert not patterns.fitting(words, "/home/me")
    assert "for /home/me/shop alone" in patterns.misfit(words, "/home/me")


def test_a_command_for_one_project_has_no_further_words() -> None:
    pattern = read_pattern({"command": "npm run build", "in": "/home/me/shop"})
    assert not pattern.fits(["npm", "run", "build", "--prod"])


def test_an_option_that_takes_a_value_takes_one_and_only_one_that_is_listed() -> None:
    pattern = Pattern(
        "x", ("x",), rest=True, options=read_options(("-k *", "-p no:*", "-q")), operands=("a",)
    )
    assert pattern.fits(["x", "-k", "anything at all", "a", "-p", "no:cache", "-q"])
    assert not pattern.fits(["x", "-k", "one", "two"])
    assert not pattern.fits(["x", "-p", "evil"])
    assert not pattern.fits(["x", "-k", "-z"])
    assert not pattern.fits(["x", "-qk", "b"])


def test_a_set_that_there_is_not_is_refused() -> None:
    with pytest.raises(PolicyError, match="there is no set"):
        patterns_of(["starter/cobol"])
