"""Files about programs in every layer of a policy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.assembly import policy_for
from fairlead.model.event_name import GATING
from fairlead.policy.layering.trust import trust
from fairlead.policy.places import Places
from fairlead.policy.reading.problem import ERROR, WARNING

GOOD = '[fooctl]\ndoes = [{on = "delete", effect = "cloud/delete"}]\n'
BAD = '[fooctl]\ndoes = [{on = "delete", effect = "cloud/delte"}]\n'


def put(folder: str, text: str) -> str:
    path = Path(folder, "programs", "fooctl.toml")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return str(path)


def test_files_of_every_layer_are_part_of_the_policy(places: Places, root: str) -> None:
    plain = policy_for(places, root, "").hash
    put(places.system, GOOD)
    put(places.config, GOOD)
    put(os.path.join(root, ".fairlead"), GOOD)
    policy = policy_for(places, root, "")
    assert [(file.layer, file.trusted) for file in policy.program_files] == [
        ("system", True),
        ("user", True),
        ("project", False),
    ]
    assert policy.hash != plain
    assert policy.problems == ()


def test_a_trusted_project_is_told_from_one_that_is_not(places: Places, root: str) -> None:
    put(os.path.join(root, ".fairlead"), GOOD)
    trust(places, root)
    (file,) = policy_for(places, root, "").program_files
    assert file.trusted


def test_law_2_a_broken_file_of_a_person_blocks(places: Places, root: str) -> None:
    path = put(places.config, BAD)
    policy = policy_for(places, root, "")
    assert [(p.path, p.line, p.severity) for p in policy.problems] == [(path, 2, ERROR)]
    broken = [entry for entry in policy.entries if entry.broken is not None]
    assert {entry.event for entry in broken} == set(GATING)
    assert "cloud/delte" in str(broken[0].broken)


def test_a_broken_file_of_an_untrusted_project_is_told_and_left_out(places: Places, root: str) -> None:
    put(os.path.join(root, ".fairlead"), BAD)
    policy = policy_for(places, root, "")
    assert [problem.severity for problem in policy.problems] == [WARNING]
    assert not [entry for entry in policy.entries if entry.broken is not None]


def test_a_file_that_is_nearly_named_right_is_told(places: Places, root: str) -> None:
    path = put(places.config, GOOD)
    Path(path).rename(f"{path[:-5]}.TOML")
    (problem,) = policy_for(places, root, "").problems
    assert (problem.message, problem.severity) == ("this file is not read", WARNING)


@pytest.mark.usefixtures("settled")
def test_a_changed_file_is_seen(places: Places, root: str) -> None:
    path = put(places.config, GOOD)
    policy = policy_for(places, root, "")
    assert not policy.changed()
    Path(path).write_text(GOOD.replace("delete", "destroy", 1) + "\n")
    assert policy.changed()
