"""The code that records name."""

from importlib import import_module

from fairlead.shell.programs.compiler import read_families


def test_all_code_that_a_record_names_is_there() -> None:
    named = {source.code for family in read_families() for source in family.programs if source.code}
    missing = [
        code
        for code in sorted(named)
        if not hasattr(
            import_module(f"fairlead.shell.effects.{code.partition(':')[0]}"), code.partition(":")[2]
        )
    ]
    assert named
    assert missing == []
