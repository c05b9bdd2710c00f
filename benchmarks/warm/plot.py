"""The plot of docs/performance.md, as SVG written by hand: nothing to install."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

_WIDTH, _BAR, _LEFT, _RIGHT = 760, 22, 230, 90
_FONT = 'font-family="sans-serif" fill="#1a202c"'
_OURS, _THEIRS = "#2b6cb0", "#a0aec0"


def draw(facts: dict[str, Any], resident: list[tuple[int, int]]) -> str:
    """Bars of the medians as multiples of /bin/true, and the daemon's memory over its calls."""
    bars = _bars(facts["warm"])
    curve = _curve(resident, top=len(facts["warm"]) * (_BAR + 8) + 90)
    height = len(facts["warm"]) * (_BAR + 8) + 270
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" {_FONT}>',
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            _text(
                12,
                26,
                "One call, spawn to exit, as a multiple of /bin/true (median of one interleaved run)",
                14,
            ),
            *bars,
            *curve,
            "</svg>\n",
        )
    )


def _bars(rows: list[dict[str, Any]]) -> list[str]:
    longest = max(row["ratio_median"] for row in rows)
    lines = []
    for number, row in enumerate(rows):
        top = 42 + number * (_BAR + 8)
        width = max(2, (_WIDTH - _LEFT - _RIGHT) * row["ratio_median"] / longest)
        colour = _OURS if "fairlead" in row["name"] else _THEIRS
        lines += [
            _text(_LEFT - 8, top + 16, row["name"], 12, "end"),
            f'<rect x="{_LEFT}" y="{top}" width="{width:.1f}" height="{_BAR}" fill="{colour}"/>',
            _text(_LEFT + width + 6, top + 16, f"{row['ratio_median']:g} times", 12),
        ]
    return lines


def _curve(points: list[tuple[int, int]], top: int) -> list[str]:
    height, width = 120, _WIDTH - _LEFT - _RIGHT
    calls = points[-1][0] or 1
    most = max(size for _, size in points) * 1.15
    path = " ".join(
        f"{_LEFT + width * number / calls:.1f},{top + 30 + height - height * size / most:.1f}"
        for number, size in points
    )
    base = top + 30 + height
    return [
        _text(12, top + 16, f"Resident memory of the daemon over {calls:,} calls", 14),
        f'<polyline points="{path}" fill="none" stroke="{_OURS}" stroke-width="2"/>',
        f'<line x1="{_LEFT}" y1="{base}" x2="{_LEFT + width}" y2="{base}" stroke="#4a5568"/>',
        _text(_LEFT - 8, base, "0", 12, "end"),
        _text(
            _LEFT - 8,
            top + 30 + height * (1 - points[-1][1] / most) + 4,
            f"{points[-1][1] / 1e6:.1f} MB",
            12,
            "end",
        ),
        _text(_LEFT + width, base + 18, f"{calls:,} calls", 12, "end"),
    ]


def _text(x: float, y: float, words: str, size: int, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{escape(words)}</text>'
