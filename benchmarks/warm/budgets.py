"""The budgets of the design, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Budget:
    what: str
    budget: float
    measured: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.measured >= self.budget if self.at_least else self.measured <= self.budget

    def as_dict(self) -> dict[str, object]:
        sign = "≥" if self.at_least else "≤"
        return {
            "what": self.what,
            "budget": f"{sign} {self.budget:g}",
            "measured": self.measured,
            "met": self.met,
        }


def show(facts: dict[str, Any]) -> None:
    print(_table(facts["budgets"], ("what", "budget", "measured", "met")))
    ratios = ("ratio_median", "ratio_p95", "ratio_fastest", "ratio_cpu")
    columns = ("name", "median_ms", "p95_ms", "fastest_ms", "cpu_ms", *ratios)
    print(_table(facts["warm"], columns))
    print(_table(facts["alone"], columns))
    print(_table(facts["cold"], columns))


def _table(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> str:
    lines = [columns, *(tuple(_cell(row[column]) for column in columns) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    return (
        "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
        )
        + "\n"
    )


def _cell(value: object) -> str:
    return {True: "yes", False: "NO"}.get(value, "") if isinstance(value, bool) else str(value)
