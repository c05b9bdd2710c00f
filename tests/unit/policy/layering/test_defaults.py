from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import fairlead.policy
from fairlead.policy.layering.defaults import BUILTIN_TYPES, default_entries
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.load import load_file

SHIPPED = Path(fairlead.policy.__file__).parent / "builtin" / "hooks"


def test_the_shipped_yaml_says_what_the_built_in_table_says(builtin_names: frozenset[str]) -> None:
    def facts(entry: Entry) -> tuple[object, ...]:
        return entry.event, entry.id, entry.type, entry.enabled, entry.on_error, entry.timeout, entry.matcher

    files = [load_file(path.read_bytes(), str(path), layer="built-in") for path in SHIPPED.rglob("*.yaml")]
    assert not [problem for file in files for problem in file.problems]
    written = [facts(entry) for file in files for entry in file.entries]
    table = [facts(entry) for entry in default_entries(builtin_names)]
    assert len(table) == len(set(table))
    assert set(written) == set(table)
    assert len(written) == len(table)


def test_every_built_in_of_the_table_has_a_type(builtin_names: frozenset[str]) -> None:
    assert set(BUILTIN_TYPES) == builtin_names
    assert all(BUILTIN_TYPES[entry.id] is entry.type for entry in default_entries(builtin_names))


def test_law_11_a_machine_without_policy_files_imports_neither_yaml_nor_anything_slow(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from fairlead.policy.places import find_places\n"
        "from fairlead.policy.policy import load_policy\n"
        f"load_policy(find_places({str(tmp_path)!r}), {str(tmp_path)!r}, builtin_names=())\n"
        "print(*(name for name in ('yaml', 'difflib', 'json', 'hashlib', 'pathlib', 'subprocess')"
        " if name in sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _on_path(code)], capture_output=True, text=True
    )
    assert (answer.stdout, answer.stderr) == ("\n", "")


def _on_path(code: str) -> str:
    """Without site-packages, whose own start-up files import what they like."""
    source = Path(fairlead.policy.__file__).parents[2]
    return f"import sys\nsys.path.insert(0, {str(source)!r})\n{code}"
