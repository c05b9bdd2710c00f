"""A table fits by leaving out what matters least, then by breaking prose, then by stacking."""

from fairlead.doors.cli.presentation.tables import Column, table

COLUMNS = (Column("RULE"), Column("CALLS", right=True), Column("LAST", spare=1), Column("WHY", prose=True))
ROWS = [
    ("git/force-push", "12", "5m ago", "it replaces what others have already fetched from the remote"),
    ("secrets/print-secret", "3", "1d ago", "what is printed becomes part of the conversation"),
]


def shown(width: int) -> list[str]:
    return [line.replace("\x1b[1m", "").replace("\x1b[0m", "") for line in table(COLUMNS, ROWS, width=width)]


def test_all_of_it_is_shown_where_it_fits() -> None:
    lines = shown(0)
    assert lines[0] == "RULE                  CALLS  LAST    WHY"
    assert len(lines) == 3


def test_prose_is_broken_before_anything_is_left_out() -> None:
    lines = shown(80)
    assert lines[0].split() == ["RULE", "CALLS", "LAST", "WHY"]
    assert len(lines) == 5
    assert max(map(len, lines)) <= 80


def test_the_column_that_matters_least_goes_first() -> None:
    assert shown(60)[0].split() == ["RULE", "CALLS", "WHY"]


def test_rows_are_stacked_where_no_table_fits() -> None:
    lines = shown(40)
    assert lines[:4] == [
        "git/force-push",
        "  calls  12",
        "  why    it replaces what others have",
        "         already fetched from the remote",
    ]
    assert max(map(len, lines)) <= 40


def test_a_column_in_which_nothing_stands_is_not_shown() -> None:
    lines = table(COLUMNS, [("a", "1", "", "b")], width=0)
    assert "LAST" not in lines[0]


def test_a_table_without_rows_has_its_heading() -> None:
    assert len(table(COLUMNS, [], width=80)) == 1
