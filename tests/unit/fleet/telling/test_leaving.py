from __future__ import annotations

import pytest

from fairlead.errors import PolicyError
from fairlead.fleet.telling.leaving import Origin, line_of, message_of
from fairlead.fleet.telling.privacy import Privacy, read_privacy, require_privacy
from fleet_messages import line

ORIGIN = Origin("m-1", "web", user="alice", homes=("/srv/alice",))
KEYED = Privacy(people=b"k" * 32)


def shown(record: dict[str, object], privacy: Privacy = KEYED) -> dict[str, object]:
    made = message_of(record, privacy, ORIGIN)["line"]
    assert isinstance(made, dict)
    return made


def of_rule(rule: str) -> dict[str, object]:
    return line(1, verdict={"decision": "block", "rule": rule})


@pytest.mark.parametrize(
    "rule", ["x/home/alice/y", "project/srv/alice", "a b", "-x", "ghp_" + "a1B2" * 9, "x" * 200]
)
def test_a_name_that_does_not_look_like_one_is_masked(rule: str) -> None:
    message = message_of(of_rule(rule), KEYED, ORIGIN)
    assert message["line"]["verdict"]["rule"] == "masked"
    assert message["masked"] == ["/session", "/verdict/rule"]


def test_people_and_sessions_are_pseudonyms_of_the_fleet() -> None:
    one, other = shown(line(1)), shown(line(2))
    assert one["user"] == other["user"] and one["session"] == other["session"]
    assert "alice" not in str(one) and "s1" not in str(one["session"])
    assert shown(line(1), Privacy(people=b"j" * 32))["user"] != one["user"]
    assert one["user"] != KEYED.pseudonym("session", "alice")
    without = shown(line(1), Privacy())
    assert "user" not in without and "session" not in without


def of_path(path: str, root: str = "/work/shop") -> dict[str, object]:
    tool = {"name": "Write", "kind": "write", "input": {"file_path": path}}
    return line(1, root=root, facts={"tool": tool}, verdict={"decision": "block", "rule": "a/b"})


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/work/shop/src/a.py", "src/a.py"),
        ("src/a.py", "src/a.py"),
        ("/work/shop/../other/a.py", ""),
        ("/work/shopping/a.py", ""),
        ("/etc/passwd", ""),
        ("../a.py", ""),
    ],
)
def test_a_path_is_told_within_its_project_alone(path: str, told: str) -> None:
    facts = shown(of_path(path), KEYED.replace(paths=("a/*",)))["facts"]
    assert isinstance(facts, dict)
    assert facts.get("path", "") == told


def test_a_path_or_command_of_another_rule_stays() -> None:
    facts = shown(of_path("/work/shop/a.py"), KEYED.replace(paths=("b/*", "a/c"), commands=("git/*",)))[
        "facts"
    ]
    assert facts == {"tool": {"kind": "write"}}


def test_a_line_without_a_place_is_no_message() -> None:
    for odd in ({"id": "x"}, {**line(1), "seq": "1"}, {**line(1), "writer": None}):
        with pytest.raises(ValueError, match="no id"):
            message_of(odd, KEYED, ORIGIN)
        assert line_of(odd, KEYED, "/home/x") == {}


def test_what_was_left_out_is_listed() -> None:
    message = message_of(
        line(1, facts={"prompt": "x", "tool": {"name": "T", "kind": "shell"}}), Privacy(), ORIGIN
    )
    assert message["erased"] == ["/facts/prompt", "/facts/tool/name", "/root", "/session", "/verdict/reason"]


def test_lines_that_could_not_be_written_are_told_by_their_number() -> None:
    assert shown(line(5, lost={"lines": 3, "why": "disk of /home/alice is full"}))["lost"] == {"lines": 3}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (7, "no mapping"),
        ({"colour": 1}, "colour"),
        ({"fields": "all"}, "no list"),
        ({"fields": ["prompt"]}, "prompt"),
        ({"commands": "git"}, "commands"),
        ({"paths": [1]}, "paths"),
        ({"people": "short"}, "people"),
        ({"people": "YWJj"}, "people"),
    ],
)
def test_what_a_bundle_says_wrongly_is_said(given: object, said: str) -> None:
    _, problems = read_privacy(given)
    assert any(said in problem for problem in problems)
    with pytest.raises(PolicyError) as refused:
        require_privacy(given)
    assert refused.value.message == problems[0]


def test_what_a_bundle_says_rightly_is_taken() -> None:
    given = {
        "fields": ["agent"],
        "commands": ["git/*"],
        "people": "a2tra2tra2tra2tra2tra2s=",
    }
    privacy, problems = read_privacy(given)
    assert problems == () and privacy.fields == {"agent"} and privacy.lets_command("git/push")
    assert not privacy.lets_command("gitx/push") and not privacy.lets_command("")
    assert read_privacy(None) == (Privacy(), ())


@pytest.mark.parametrize(
    "named",
    [
        "/home/./bob/x",
        "/home//bob/x",
        "/Users/.//./bob",
        "file:///home/bob/x",
        "%2Fhome%2Fbob%2Fx",
        "%2fUsers%2fbob",
        r"C:\Users\bob\x",
        "c:/users/bob",
    ],
)
def test_a_home_is_known_in_other_spellings_too(named: str) -> None:
    record = line(1, "block")
    record["facts"] = {"tool": {"name": "Bash", "kind": "shell", "input": {"command": f"cat {named}"}}}
    message = message_of(record, Privacy(commands=("*",)), ORIGIN)
    assert "[home]" in str(message) and "bob" not in str(message)
