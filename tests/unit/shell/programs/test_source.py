"""A file of programs is read whole, and every mistake in it is found where it stands."""

import pytest

from fairlead.shell.programs.record import Deed
from fairlead.shell.programs.source import Source, read_source


def read_one(text: str) -> Source:
    found = read_source(text)
    assert found.problems == ()
    (program,) = found.programs
    return program


def mistakes(text: str) -> list[str]:
    return [
        f"{problem.line}:{problem.column}: {problem.text} ({problem.hint})"
        for problem in read_source(text).problems
    ]


def test_a_record_holds_all_that_its_table_says() -> None:
    program = read_one(
        """
# A comment.
[fooctl]
same = ["foo"]
values = ["-n"]
single_dash = true
also = ["paths"]
sql = ["-c"]
does = [{on = "delete  cluster", with = ["--yes"], unless = ["--keep"], effect = "cluster/delete-data"}]
stops = ["fooctl delete cluster --yes"]
passes = ["fooctl list"]
"""
    )
    assert program == Source(
        name="fooctl",
        line=3,
        same=("foo",),
        values=("-n",),
        single_dash=True,
        also=("paths",),
        sql=("-c",),
        does=(Deed("delete cluster", "change-cluster", "delete-data", ("--yes",), ("--keep",)),),
        stops=("fooctl delete cluster --yes",),
        passes=("fooctl list",),
    )


def test_what_holds_for_every_program_of_a_file_is_said_once() -> None:
    found = read_source('["*"]\nalso = ["paths"]\ncode = "a.b:c"\n[one]\n[two]\nalso = []\n')
    assert found.problems == ()
    assert [(each.name, each.also, each.code) for each in found.programs] == [
        ("one", ("paths",), "a.b:c"),
        ("two", (), "a.b:c"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[a]\ndose = "x"', "2:1: a: unknown key `dose` (did you mean `does`?)"),
        (
            '[a]\ndoes = [{on = "x", effect = "cluster/delete-dta"}]',
            "2:30: a: unknown effect `cluster/delete-dta` (did you mean `cluster/delete-data`?)",
        ),
        (
            '[a]\n\ndoes = [{on = "x", whith = [], effect = "cloud/delete"}]',
            "3:20: a: unknown key `whith` in `does` (did you mean `with`?)",
        ),
        ('[a]\ndoes = [{on = "x"}]', "2:1: a: a deed needs `effect`, and `on` is a text ()"),
        (
            '[a]\ndoes = "delete"',
            "2:1: a: `does` is not a list of tables "
            '(write it as does = [{on = "delete", effect = "cloud/delete"}])',
        ),
        ('[a]\nvalues = "-n"', '2:1: a: `values` is not a list of texts (write it as values = ["…"])'),
        ('[a]\nalso = ["pahts"]', "2:10: a: unknown word `pahts` in `also` (did you mean `paths`?)"),
        ('[a]\nsingle_dash = "yes"', "2:1: a: `single_dash` is not true or false ()"),
        ("[a]\ncode = 3", "2:1: a: `code` is not a text ()"),
        ("a = 3", "1:1: a: `a` is no table (write a program as `[name]`, and its keys below it)"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_column_and_what_would_be_right(text: str, found: str) -> None:
    assert mistakes(text) == [found]


def test_every_mistake_of_a_file_is_told_at_once() -> None:
    text = '[a]\nfoo = 1\n[b]\ndoes = [{effect = "no/such"}, {effect = "no/other"}]\n'
    assert [mistake.partition(" ")[0] for mistake in mistakes(text)] == ["2:1:", "4:20:", "4:42:"]


def test_what_is_no_toml_is_told_with_its_place() -> None:
    assert mistakes("[a]\ndoes = [")[0].endswith("(this is not TOML)")
    assert mistakes("[a]\n[a]\n")[0].startswith("2:")
    assert mistakes("[a]\nvalues = x\n")[0].startswith("2:10: ")


def test_a_mistake_is_looked_for_in_its_own_table() -> None:
    text = '[a]\nabout = "dose"\n["b.sh"]\ndose = 1\n'
    assert mistakes(text) == ["4:1: b.sh: unknown key `dose` (did you mean `does`?)"]


def test_a_word_is_found_where_it_is_quoted_before_the_key_of_that_name() -> None:
    (wrong,) = mistakes('[a]\nvalues = []\nalso = ["sql", "values"]\n')
    assert wrong.startswith("3:17: a: unknown word `values` in `also`")
