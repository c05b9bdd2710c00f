"""The compiler refuses what is wrong, and the modules are those of the data."""

from importlib import import_module
from pathlib import Path

import pytest

from fairlead.shell.following.loaded_files.loading_programs import loads_files
from fairlead.shell.programs.compiler import COMPILED, DATA, compiled_modules, main, read_families

FINE = """
[fooctl]
same = ["foo", "bar-*"]
values = ["-n"]
does = [{on = "delete", effect = "cloud/delete"}, {on = "stop", with = ["--now"], effect = "cloud/disturb"}]
stops = ["foo delete"]
passes = ["foo list"]
"""


def compile_texts(folder: Path, **texts: str) -> int:
    (folder / "data").mkdir()
    (folder / "compiled").mkdir()
    for name, text in texts.items():
        (folder / "data" / f"{name}.toml").write_text(text, encoding="utf-8")
    return main(folder / "data", folder / "compiled")


def test_the_compiled_modules_are_those_of_the_data() -> None:
    wanted = compiled_modules(read_families(DATA))
    there = {path.name: path.read_text(encoding="utf-8") for path in COMPILED.glob("*.py")}
    del there["__init__.py"]
    old = sorted(name for name in {*wanted, *there} if wanted.get(name) != there.get(name))
    assert not old, f"{', '.join(old)}: run `python -m fairlead.shell.programs.compiler`"


def test_a_module_of_constants_is_written_for_each_file(tmp_path: Path) -> None:
    assert compile_texts(tmp_path, **{"foo-tools": FINE}) == 0
    held: dict[str, object] = {}
    exec((tmp_path / "compiled" / "foo_tools.py").read_text(), held)
    assert held["PROGRAMS"] == {
        "fooctl": {
            "does": (("delete", "change-cloud", "delete"), ("stop", "change-cloud", "disturb", ("--now",))),
            "values": ("-n",),
        }
    }
    assert held["SAME"] == {"foo": "fooctl"}
    index: dict[str, object] = {}
    exec((tmp_path / "compiled" / "index.py").read_text(), index)
    assert index["FAMILY_OF"] == {"foo": "foo_tools", "fooctl": "foo_tools"}
    assert index["KINDS"] == {"bar-": "fooctl"}


def test_a_module_whose_file_is_gone_goes_with_it(tmp_path: Path) -> None:
    assert compile_texts(tmp_path, one=FINE) == 0
    (tmp_path / "data" / "one.toml").rename(tmp_path / "data" / "two.toml")
    assert main(tmp_path / "data", tmp_path / "compiled") == 0
    assert {path.name for path in (tmp_path / "compiled").glob("*")} == {"two.py", "index.py", "running.py"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a]\nfoo = 1", "one.toml:2:1: a: unknown key `foo`"),
        (
            '[a]\ndoes = [{on = "destroy|** destroy", effect = "cloud/destroy"}]\n'
            'stops = ["a"]\npasses = ["a"]',
            "one.toml:2:16: a: `**` stands inside the choice `destroy|**`",
        ),
        (
            '[a]\ndoes = [{on = "x", effect = "cloud/delete"}, {on = "x y", effect = "cloud/state"}]\n'
            'stops = ["a"]\npasses = ["a"]',
            "one.toml:2:53: a: `x y` is never reached",
        ),
        (
            '\n[a]\ndoes = [{effect = "cloud/delete"}]\npasses = ["a"]',
            "one.toml:2:1: a: no example that stops",
        ),
        (
            '\n[a]\ndoes = [{effect = "cloud/delete"}]\nstops = ["a"]',
            "one.toml:2:1: a: no example that passes",
        ),
        ('[a]\n[b]\nsame = ["c", "a"]', "one.toml:3:15: a: it stands in one.toml already"),
        ("[a", "one.toml:1:3: "),
    ],
)
def test_what_is_wrong_is_refused_with_file_line_and_column(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compile_texts(tmp_path, one=text) == 1
    assert capsys.readouterr().err.startswith(told)
    assert not list((tmp_path / "compiled").iterdir())


def test_a_program_that_stands_in_two_files_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compile_texts(tmp_path, one=FINE, two='\n[other]\nsame = ["foo"]\n') == 1
    assert capsys.readouterr().err == "two.toml:3:10: foo: it stands in one.toml already\n"


def test_two_files_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data" / "more").mkdir(parents=True)
    (tmp_path / "data" / "more" / "one.toml").write_text("[a]\n")
    (tmp_path / "data" / "one.toml").write_text("[b]\n")
    assert main(tmp_path / "data", tmp_path) == 1
    assert "another file is called one.toml" in capsys.readouterr().err


def test_a_hint_stands_below_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compile_texts(tmp_path, one='[a]\nalso = ["pahts"]\n') == 1
    assert capsys.readouterr().err == (
        "one.toml:2:10: a: unknown word `pahts` in `also`\n  hint: did you mean `paths`?\n"
    )


def test_every_code_that_a_record_names_is_a_function_of_the_effects() -> None:
    named = {source.code for family in read_families() for source in family.programs if source.code}
    for code in sorted(named):
        module, _, name = code.partition(":")
        found = getattr(import_module(f"fairlead.shell.effects.{module}"), name)
        assert callable(found) or isinstance(found, dict), code


def test_every_reader_that_a_record_names_is_a_function_of_the_recipes() -> None:
    sources = [source for family in read_families() for source in family.programs]
    for source in sources:
        for reader in source.readers:
            module, _, name = reader.partition(":")
            assert callable(getattr(import_module(f"fairlead.shell.following.recipe_files.{module}"), name))
        recipes = source.loads is not None and (source.loads.recipes or source.loads.recipe_options)
        assert source.readers or loads_files(source.name) or not recipes, source.name
