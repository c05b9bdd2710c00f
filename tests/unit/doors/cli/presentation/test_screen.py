"""Variables and the terminal say how wide output is, and whether it has colours."""

import pytest

from fairlead.doors.cli.presentation.screen import NARROWEST, UNBOUNDED, screen_width, wants_colour


@pytest.mark.parametrize(
    ("variables", "wanted"),
    [
        ({}, None),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, None),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "0"}, None),
        ({"CLICOLOR": "0"}, False),
        ({"CLICOLOR": "1"}, None),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
    ],
)
def test_who_says_what_about_colours(variables: dict[str, str], wanted: bool | None) -> None:
    assert wants_colour(variables) is wanted


@pytest.mark.parametrize(
    ("columns", "width"), [("60", 60), ("12", NARROWEST), ("0", UNBOUNDED), ("", 0), ("x", 0)]
)
def test_columns_of_the_environment_count_and_a_pipe_has_no_end(columns: str, width: int) -> None:
    assert screen_width({"COLUMNS": columns}) == width
