"""What is wrong with a policy, where, and what to do next."""

from __future__ import annotations

from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.value import Value

ERROR = "error"
WARNING = "warning"


class Problem(Value):
    """Prints as `file:line:column: message`, with the hint below it. Line 0: the file as a whole."""

    path: str
    line: int
    column: int
    message: str
    hint: str = ""
    severity: str = ERROR

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text

    def as_json(self) -> dict[str, object]:
        return {field: getattr(self, field) for field in self._fields}


def failure_of(problems: list[Problem]) -> Failure:
    """What a broken entry answers with: the first problem, how many more, and the way out."""
    first = problems[0]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    hint = f" ({first.hint})" if first.hint else ""
    return Failure(
        Stage.PLANNING,
        FailureCode.PLANNING_FAILURE,
        f"{first.place}: {first.message}{hint}{more}. Mend the file (`fairlead policy check` shows all), "
        "or run `fairlead off` in your own terminal",
        {"file": first.path, "line": first.line, "column": first.column},
    )
