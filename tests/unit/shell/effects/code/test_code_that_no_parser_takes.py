"""Code that breaks the parser of this Python is judged by the lines around it."""

import pytest

from fairlead.shell.following.recipe_files.formats.structured_text import toml_value
from tests.unit.packs.guard_kit import decide

MONSTERS = ["x=" + "-" * 20_000 + "1", "x=a" + ".b" * 20_000, "(" * 5_000]


@pytest.mark.parametrize("monster", MONSTERS, ids=["signs", "dots", "brackets"])
def test_a_monstrous_line_breaks_nothing_and_hides_nothing(monster):
    assert not decide(f"python3 - <<'E'\n{monster}\nE").objects
    hidden = f"import shutil\n{monster}\nshutil.rmtree('/home/no-one')"
    assert decide(f"python3 - <<'E'\n{hidden}\nE").objects


def test_a_dotted_name_without_end_is_no_toml():
    assert toml_value("a" + ".a" * 30_000 + " = 1") is None
    assert toml_value("a.b.c = 1\n[tool.x]\nurl = 'a.b.c.d'") == {
        "a": {"b": {"c": 1}},
        "tool": {"x": {"url": "a.b.c.d"}},
    }
