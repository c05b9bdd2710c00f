"""What a machine says of its own group, held against the list of machines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairlead.doors.fleet.collecting.groups import placed
from fairlead.doors.fleet.collecting.store import Store
from fleet_board_kit import decided, told

GROUPS = st.sampled_from(["", "web", "lab", "ci", "<img src=x>", "\u202egroup"])
LIST = st.dictionaries(st.sampled_from(["m-1", "m-2", "m-3"]), st.sampled_from(["web", "lab"]), min_size=1)


@given(LIST, st.sampled_from(["m-1", "m-2", "m-3"]), GROUPS)
def test_no_decision_counts_for_a_group_that_the_list_does_not_give_its_machine(
    expected, name, group
) -> None:
    decision, _ = placed(decided(name, 1, 9, group=group), expected)
    assert decision.group == expected.get(name, "")


def test_without_a_list_a_machine_is_believed() -> None:
    decision = decided("m-1", 1, 9, group="lab")
    assert placed(decision, {}) == (decision, ())


def test_who_says_what_the_list_says_is_left_alone() -> None:
    beat = told("m-1", group="web")
    assert placed(beat, {"m-1": "web"}) == (beat, ())


def test_who_names_another_group_is_an_incident_and_has_no_bundle_of_its_own() -> None:
    beat, (incident,) = placed(told("m-1", group="lab"), {"m-1": "web"})
    assert (beat.group, beat.bundle, beat.bundle_state) == ("web", 0, "none")
    assert (incident.machine, incident.kind, incident.id) == ("m-1", "group", "lab")
    assert "'lab'" in incident.detail and "'web'" in incident.detail


def test_who_is_not_on_the_list_is_in_no_group() -> None:
    beat, incidents = placed(told("m-9", group="web"), {"m-1": "web"})
    assert (beat.group, incidents) == ("", ())


def test_the_same_untruth_said_again_is_one_incident(store: Store) -> None:
    for seq in range(1, 6):
        decision, incidents = placed(decided("m-1", seq, 9, group="lab"), {"m-1": "web"})
        store.take([decision], incidents)
    with store.database.reading() as statements:
        assert statements.run("SELECT count(*) FROM incidents")[0][0] == 1
        assert statements.run("SELECT DISTINCT fleet_group FROM hours") == [("web",)]
