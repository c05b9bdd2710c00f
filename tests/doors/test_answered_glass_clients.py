"""Both clients read the marker of an answered challenge by themselves, and agree with Python about each."""

from __future__ import annotations

import os
import re

import pytest
from client_workshop import Workshop
from marker_trials import late, lets_through

from fairlead.fleet.glass.answer_keys import AnswerKeys
from fairlead.policy.glass.granted import Granted
from fairlead.policy.glass.marker import read_clock
from glass_kit import answer_keys_in_force, answered_marker, name_codes

KEYS = AnswerKeys("web", "5a" * 32, "0001020304050607", 3)


@pytest.fixture
def gone(workshop: Workshop) -> Workshop:
    """Where nothing is left to answer but the client itself, and a policy names keys for answers."""
    workshop.record["interpreter"] = "/nonexistent/python"
    answer_keys_in_force(workshop.state / "fleet", KEYS, number=2)
    return workshop


def test_an_answered_marker_lets_through(gone: Workshop) -> None:
    assert lets_through(gone, answered_marker(KEYS, read_clock()))
    assert lets_through(gone, answered_marker(KEYS, read_clock(), place=1, minutes=1440, user="märta"))


def test_it_is_over_by_either_clock_and_with_another_start_of_the_machine(gone: Workshop) -> None:
    now = read_clock()
    for clock in (
        late(601),
        now.replace(running=now.running - 601),
        now.replace(wall=now.wall - 601),
        now.replace(running=now.running + 100),
        now.replace(boot="5ad14f3e-0c5e-4f0b-a7b2-3f1ce6b02a11"),
    ):
        assert not lets_through(gone, answered_marker(KEYS, clock)), clock


def test_its_end_can_be_moved_no_further_than_the_answer_allows(gone: Workshop) -> None:
    now = read_clock()
    marker = answered_marker(KEYS, now)
    last = now.running + 900 + 600
    assert lets_through(gone, re.sub(r"until=\d+", f"until={last}", marker))
    assert not lets_through(gone, re.sub(r"until=\d+", f"until={last + 1}", marker))


@pytest.mark.parametrize(
    "field",
    ["machine", "group", "bundle", "user", "minutes", "uid", "from", "boot", "nonce", "code", "answer"],
)
def test_nothing_that_was_answered_can_be_changed(gone: Workshop, field: str) -> None:
    marker = answered_marker(KEYS, read_clock())
    value = re.search(rf"(?m)^{field}=(.*)$", marker)
    assert value
    number = value[1].isdigit()
    other = str(int(value[1]) - 1) if number else value[1][:-1] + ("0" if value[1][-1] != "0" else "1")
    assert not lets_through(gone, marker.replace(f"\n{field}={value[1]}\n", f"\n{field}={other}\n"))
    assert not lets_through(gone, marker.replace(f"\n{field}={value[1]}\n", f"\n{field}=\n"))
    assert not lets_through(gone, marker.replace(f"\n{field}={value[1]}\n", "\n"))
    assert not lets_through(gone, marker.replace(f"\n{field}=", f"\n{field}=\n{field}="))


def test_its_form_is_exact(gone: Workshop) -> None:
    marker = answered_marker(KEYS, read_clock())
    for changed in (
        marker.rstrip("\n"),
        marker + "\n",
        marker + "x=1\n",
        marker.replace("glass 2", "glass 1"),
        marker.replace("glass 2", "glass 3"),
        marker.replace("code=2-", "code=1-"),
        marker.upper(),
        marker.replace("answer=", "answer=0"),
        "glass 2\n",
        "glass 2",
    ):
        assert not lets_through(gone, changed), changed


def test_only_a_key_that_the_policy_names_counts(gone: Workshop) -> None:
    assert not lets_through(gone, answered_marker(KEYS, read_clock(), place=2))
    marker = answered_marker(KEYS, read_clock())
    path = name_codes(gone.state / "fleet", [])
    assert not lets_through(gone, marker)
    path.write_text(f"# {KEYS.entry(0).text}\n")
    assert not lets_through(gone, marker)
    answer_keys_in_force(gone.state / "fleet", KEYS)
    assert lets_through(gone, marker)


def test_the_marker_of_another_user_does_not_count(gone: Workshop) -> None:
    assert not lets_through(gone, answered_marker(KEYS, read_clock(), uid=os.getuid() + 1))


# --- what was granted from elsewhere ---

ID = "5f" * 16


def granted(workshop: Workshop, text: str = "", *, mode: int = 0o644, **more: object) -> bool:
    now = read_clock()
    said = Granted(ID, "*", now.boot, now.running, now.running + 60, now.wall + 60, "ana", "01K0")
    path = workshop.state / "fleet" / "off" / ID
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text or said.replace(**more).text())
    path.chmod(mode)
    return lets_through(workshop, f"granted {ID}\n")


def test_what_was_granted_lets_through(gone: Workshop) -> None:
    assert granted(gone)
    assert granted(gone, uid=str(os.getuid()))


def test_a_grant_ends_by_either_clock_and_is_of_one_user_and_one_start(gone: Workshop) -> None:
    now = read_clock()
    for more in (
        {"uid": str(os.getuid() + 1)},
        {"uid": f"0{os.getuid()}"},
        {"uid": ""},
        {"boot": "5ad14f3e-0c5e-4f0b-a7b2-3f1ce6b02a11"},
        {"end": now.running},
        {"start": now.running + 100},
        {"start": now.running - 86_400, "end": now.running + 100},
        {"wall": now.wall},
        {"id": "60" * 16},
    ):
        assert not granted(gone, **more), more


def test_a_grant_has_an_exact_form_and_nobody_else_can_have_written_it(gone: Workshop) -> None:
    assert granted(gone)
    good = (gone.state / "fleet" / "off" / ID).read_text()
    for text in (
        good.rstrip("\n"),
        good + "\n",
        good + "x=1\n",
        good.replace("off 1", "off 2"),
        good.replace("uid=", "Uid="),
        good.replace("by=ana\n", ""),
        good.replace("until=", "until=x"),
    ):
        assert not granted(gone, text), text
    assert not granted(gone, good, mode=0o666)
    for marker in (
        "granted \n",
        f"granted {ID}",
        f"granted {ID}\n\n",
        f"granted {ID.upper()}\n",
        "granted ../x\n",
    ):
        (gone.state / "fleet" / "off" / ID).chmod(0o644)
        assert not lets_through(gone, marker), marker
