"""What the pages of a fleet are made of."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.doors.fleet.approvals.board import OpenQuestions
from fairlead.doors.fleet.board.asked import Asked
from fairlead.doors.fleet.board.published import Published
from fairlead.doors.fleet.centre.expected import Expected
from fairlead.doors.fleet.collecting.database import Database
from fairlead.model.value import Value


class Centre(Value):
    """The database is always there; what was not given is unknown."""

    database: Database
    expected: Expected
    published: Published | None = None
    questions: OpenQuestions | None = None


Reading = Callable[[Centre, Asked], object]
