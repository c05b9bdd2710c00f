import copy
import pickle
import subprocess
import sys

import pytest

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.fast_records import compile_records
from fairlead.model.value import Value, derived


class Point(Value):
    x: int
    y: int = 0

    @property
    def total(self) -> int:
        return self.x + self.y


class Named(Point):
    name: str = ""


def test_fields_are_given_by_place_or_by_name():
    assert Point(1, 2) == Point(1, y=2) == Point(y=2, x=1)


def test_a_default_stands_in_for_what_is_not_given():
    assert Point(1).y == 0


@pytest.mark.parametrize("wrong", [lambda: Point(), lambda: Point(1, 2, 3), lambda: Point(1, z=3)])
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises(TypeError, match="Point"):
        wrong()


def test_a_field_given_twice_is_refused():
    with pytest.raises(TypeError, match="'x'"):
        Point(1, x=2)


def test_a_value_cannot_be_changed():
    point = Point(1)
    with pytest.raises(AttributeError, match="replace"):
        point.x = 2
    with pytest.raises(AttributeError):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 3


def test_replace_makes_a_copy_that_differs():
    point = Point(1, 2)
    assert (point.replace(y=5), point) == (Point(1, 5), Point(1, 2))


def test_values_of_two_types_are_never_equal():
    assert Point(1, 2) != Named(1, 2)
    assert Point(1, 2) != (1, 2)


def test_a_subclass_has_the_fields_of_its_parent_first():
    assert Named(1, 2, "n").name == "n"
    assert Named(1, 2, "n").total == 3


def test_equal_values_have_equal_hashes():
    assert len({Point(1), Point(1), Point(2)}) == 2


def test_values_survive_copying_and_pickling():
    event = Event(EventName.BEFORE_TOOL, payload={"a": 1})
    assert copy.copy(event) == event
    assert pickle.loads(pickle.dumps(Point(1, 2).replace())) == Point(1, 2)


def test_a_value_shows_what_it_holds():
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"


def test_a_compiled_record_behaves_like_any_other() -> None:
    class Pair(Value):
        left: int
        right: int = 2

    class Triple(Pair):
        more: int = 3

    class Odd(Pair):
        needed: int

    generic = (Pair(1), Triple(1, more=4), Odd(1, 2, 5))
    compile_records(Pair)
    assert Pair.replace is not Value.replace and Odd.replace is Value.replace
    assert (Pair(1), Triple(1, more=4), Odd(1, 2, 5)) == generic
    assert Pair(left=1, right=2) == Pair(1)

    class Later(Pair):
        last: int = 9

    class Latest(Triple):
        last: int = 9

    assert (Later(1).last, Later(1, 2, 3).last) == (9, 3)
    assert (Latest(1).more, Latest(1, 2, 3, 4).replace(more=5)) == (3, Latest(1, 2, 5, 4))
    assert [type(made) for made in (Pair(1), Pair(1).replace(), copy.copy(Triple(1)))] == [Pair, Pair, Triple]
    for wrong in (lambda: Pair(), lambda: Pair(1, 2, 3), lambda: Pair(1, left=1), lambda: Pair(1, wrong=1)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(AttributeError):
        Pair(1).left = 2  # type: ignore[misc]
    assert Triple(1).replace(right=7) == Triple(1, 7, 3)
    with pytest.raises(TypeError, match="'wrong'"):
        Pair(1).replace(wrong=1)


def test_what_follows_from_the_fields_is_made_with_the_record_and_is_no_part_of_its_content() -> None:
    class Size(Value):
        wide: int
        high: int = 1
        area: int = derived(lambda size: size.wide * size.high)

    class Box(Size):
        deep: int = 1

    generic = (Size(2, 3), Box(2, 3, 4))
    for compiled in (False, True):
        if compiled:
            compile_records(Size)
        made = Size(2, 3)
        assert (made.area, made.replace(high=5).area, copy.copy(made).area, Box(2, 3, 4).area) == (
            6,
            10,
            6,
            6,
        )
        assert (made, Box(2, 3, 4)) == generic
        assert repr(made).endswith("Size(wide=2, high=3)")
        with pytest.raises(TypeError, match="area"):
            Size(2, area=7)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="area"):
            made.replace(area=7)
        with pytest.raises(AttributeError):
            made.area = 7  # type: ignore[misc]


EVERY_FIELD_IS_IN_IT = """
from fairlead.doors.daemon import process
from fairlead.model.fast_records import compile_records
from fairlead.model.value import Value
from fairlead.packs.judging import call_effects, content, judge
compile_records()
kinds, seen = [Value], 0
while kinds:
    kind = kinds.pop()
    kinds += [child for child in kind.__subclasses__() if not child.__name__.startswith("_Open")]
    if not hasattr(kind.__new__, "instead_of"):
        continue
    seen += 1
    fields, made = kind._fields, kind.__new__.__code__
    assert made.co_varnames[1 : made.co_argcount] == fields, (kind, "new")
    assert set(fields) < set(kind.replace.__code__.co_varnames), (kind, "replace")
    assert kind._values.__code__.co_names == fields, (kind, "values")
assert seen > 50, seen
"""
"""In a process of its own, since it changes every kind of record there is."""


def test_no_field_of_any_record_is_forgotten_when_records_are_compiled() -> None:
    done = subprocess.run([sys.executable, "-c", EVERY_FIELD_IS_IN_IT], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
