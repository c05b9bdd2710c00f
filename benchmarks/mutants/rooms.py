"""Which tests answer for which room of the source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "fairlead"
_LIBRARY = (
    "tests/unit/doors/library",
    "tests/seeds/test_seed_003_usage_example.py",
    "tests/properties/test_tool_stack.py",
    "tests/properties/test_stops.py",
)
_ENGINE = (
    "tests/unit/engine",
    "tests/unit/drivers",
    "tests/seeds/test_seed_004_requirements.py",
    "tests/properties/test_engine_laws.py",
    *_LIBRARY,
)


@dataclass(frozen=True)
class Room:
    """A folder of the package, and the tests (files or folders) that have to notice a fault in it."""

    folder: str
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    """Sub-folders that these tests cannot load: they need a package that is not installed here."""

    def modules(self) -> list[Path]:
        found = sorted((PACKAGE / self.folder).rglob("*.py"))
        return [each for each in found if not set(each.parts) & set(self.without)]

    def test_files(self) -> list[Path]:
        named = [ROOT / each for each in self.tests]
        return [
            file for each in named for file in (sorted(each.rglob("test_*.py")) if each.is_dir() else [each])
        ]


ROOMS = {
    "engine": Room("engine", _ENGINE),
    "model": Room("model", ("tests/unit/model", "tests/unit/profiles/test_javascript.py", *_ENGINE)),
    "drivers": Room("drivers", _ENGINE),
    "contracts": Room(
        "contracts",
        (
            "tests/unit/contracts",
            "tests/properties/test_output_properties.py",
            "tests/vectors/test_vectors.py",
            *_ENGINE,
        ),
    ),
    "bus": Room(
        "doors/bus",
        (
            "tests/seeds/test_seed_004_requirements.py",
            "tests/doors/test_nats.py",
            "tests/doors/test_broker_access.py",
        ),
    ),
    "library": Room("doors/library", _LIBRARY, without=("frameworks", "models")),
}


def module_name(path: Path) -> str:
    """`fairlead.engine.planner` for its file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
