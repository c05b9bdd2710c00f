"""HOME of the caller reaches the guard only where it says something else than the user's home."""

import pytest

from fairlead.doors.hook import callers_home
from fairlead.model.event import Event
from fairlead.model.event_name import EventName

EVENT = Event(EventName.BEFORE_TOOL)


@pytest.fixture(autouse=True)
def user(monkeypatch):
    monkeypatch.setattr(callers_home, "_users_home", lambda: "/home/somebody")


def test_another_home_is_kept():
    assert callers_home.with_callers_home(EVENT, {"HOME": "/srv/data/"}).home == "/srv/data"


@pytest.mark.parametrize("home", ["", "/", "relative", "/home/somebody", "/home/somebody/", "/x\0y"])
def test_the_users_own_and_what_is_no_folder_leave_the_event_as_it_is(home):
    assert callers_home.with_callers_home(EVENT, {"HOME": home}) is EVENT


def test_without_the_variable_nothing_is_added():
    assert callers_home.with_callers_home(EVENT, {}) is EVENT
