"""The tables of files that programs load fit together."""

from __future__ import annotations

import re

import pytest

from fairlead.shell.following.loaded_files import loading_programs
from fairlead.shell.following.loaded_files.file_formats import FORMATS
from fairlead.shell.following.loaded_files.loading_programs import loadings_of, loads_files

_KINDS = ("shell", "code", "line", "tree", "texts", "escapes", "options", "script")


def test_every_row_names_a_format_that_is_there_and_every_format_is_named() -> None:
    named = {row.format for rows in loading_programs._table().values() for row in rows}
    assert named == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_every_part_of_a_format_is_of_a_kind_that_is_read(name: str) -> None:
    assert all(part[0] in _KINDS for part in FORMATS[name])
    for pattern in (part[1] for part in FORMATS[name] if part[0] == "line"):
        assert re.compile(pattern).groupindex.keys() & {"text", "list"}


def test_a_program_that_no_row_names_loads_nothing() -> None:
    assert not loads_files("cat")
    assert loadings_of("cat") == ()
