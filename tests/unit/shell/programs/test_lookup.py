"""A program is found by its name, by another name of it, and by the beginning of its kind."""

from fairlead.shell.programs.lookup import SHIPPED, Programs
from fairlead.shell.programs.record import Deed, Program, program_from


def test_another_name_has_the_same_record_under_its_own_name() -> None:
    terraform, tofu = SHIPPED.find("terraform"), SHIPPED.find("tofu")
    assert terraform is not None
    assert tofu is not None
    assert tofu.name == "tofu"
    assert (tofu.does, tofu.values, tofu.code) == (terraform.does, terraform.values, terraform.code)


def test_a_kind_of_programs_is_found_by_its_beginning() -> None:
    found = SHIPPED.find("kafka-consumer-groups.sh")
    assert found is not None
    assert found.code == "databases.database_clients:read_kafka"


def test_a_program_that_nobody_lists_is_not_found() -> None:
    assert SHIPPED.find("no-such-program") is None
    assert SHIPPED.find("") is None


def test_a_record_is_made_once() -> None:
    assert SHIPPED.find("helm") is SHIPPED.find("helm")


def test_what_a_person_taught_is_found_besides() -> None:
    taught = Program("fooctl", "own", (Deed("delete", "change-cloud", "delete"),))
    programs = Programs({"fooctl": taught})
    assert programs.find("fooctl") is taught
    assert programs.find("helm") is not None
    assert SHIPPED.find("fooctl") is None


def test_names_of_a_hostile_line_fill_no_memory() -> None:
    programs = Programs()
    for number in range(100):
        programs.find(f"kafka-{number}")
        programs.find(f"nothing-{number}")
    assert len(programs._found) <= 1


def test_a_record_of_nothing_but_a_name_is_not_read_by_it() -> None:
    assert not program_from("x", "f", {"also": ("paths",)}).known
    assert program_from("x", "f", {"does": (("", "change-cloud", "delete"),)}).known
    assert program_from("x", "f", {"code": "a.b:c"}).known
    assert program_from("x", "f", {"sql": ("-c",)}).known
