"""A judge that breaks refuses: nothing passes because something is wrong."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.doors.mcp.calls import McpCall, Ruling
from fairlead.doors.mcp.protocol.parts import Judge
from fairlead.doors.mcp.protocol.refusals import REFUSED, refused_result
from fairlead.model.decision import Decision


class Careful:
    """Asks another judge."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.quick = judge.quick

    def before(self, call: McpCall) -> Ruling:
        try:
            return self._judge.before(call)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a judge, the call is not passed on
            return _broken(error)

    def answered(self, call: McpCall, ruling: Ruling, yes: bool) -> Ruling:
        try:
            return self._judge.answered(call, ruling, yes)
        except Exception as error:  # noqa: BLE001 - as above
            return _broken(error)

    def after(
        self,
        call: McpCall,
        ruling: Ruling,
        result: Mapping[str, object],
        *,
        schema: Mapping[str, object] | None,
    ) -> Mapping[str, object] | None:
        try:
            return self._judge.after(call, ruling, result, schema=schema)
        except Exception as error:  # noqa: BLE001 - as above
            text = _broken(error).text
            if "error" in result:
                return {"error": {"code": REFUSED, "message": text}}
            return refused_result(text)

    def close(self) -> None:
        self._judge.close()


def _broken(error: Exception) -> Ruling:
    """The type alone: what it says may quote what was judged."""
    why = f"it is broken ({type(error).__name__}); `fairlead doctor` shows what is wrong"
    return Ruling(Decision.BLOCK, f"Blocked by Fairlead: {why}.")
