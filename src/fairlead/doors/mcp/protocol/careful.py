"""A judge that breaks refuses: nothing passes because something is wrong."""

from __future__ import annotations

from contextlib import suppress

from fairlead.doors.mcp.calls import Choice, McpCall, Ruling
from fairlead.doors.mcp.protocol.parts import Judge, Result
from fairlead.doors.mcp.protocol.refusals import REFUSED, refused_result
from fairlead.model.decision import Decision


class Careful:
    """Asks another judge."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.met = judge.met
        self.rooted = judge.rooted
        self.dropped = judge.dropped
        self.close = judge.close

    @property
    def quick(self) -> bool:
        return self._judge.quick

    def before(self, call: McpCall) -> Ruling:
        try:
            return self._judge.before(call)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a judge, the call is not passed on
            return Ruling(Decision.BLOCK, _words(error))

    def held_back(self, call: McpCall, why: str) -> None:
        with suppress(Exception):  # the call is refused in any case
            self._judge.held_back(call, why)

    def answered(self, call: McpCall, ruling: Ruling, choice: Choice) -> Ruling:
        try:
            return self._judge.answered(call, ruling, choice)
        except Exception as error:  # noqa: BLE001 - as above
            return Ruling(Decision.BLOCK, _words(error))

    def after(self, call: McpCall, ruling: Ruling, result: Result, *, schema: Result | None) -> Result | None:
        try:
            return self._judge.after(call, ruling, result, schema=schema)
        except Exception as error:  # noqa: BLE001 - as above
            return refused_result(_words(error))

    def told(self, call: McpCall | None, message: Result) -> Result | None:
        try:
            return self._judge.told(call, message)
        except Exception as error:  # noqa: BLE001 - as above
            return {"code": REFUSED, "message": _words(error)}


def _words(error: Exception) -> str:
    """The type alone: what it says may quote what was judged."""
    return (
        f"Blocked by Fairlead: it is broken ({type(error).__name__}); `fairlead doctor` shows what is wrong."
    )
