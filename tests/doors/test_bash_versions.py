"""The table of behaviour through the bash door, with every other bash that is here. `make test-bash` runs all
tests of that door with each of them."""

import pytest

from bash_versions import PLACE, VERSIONS, folder_of, own_version
from conformance.doing import through_bash, write_files
from conformance.table import placed, rows, why_not
from conformance.test_conformance import check


@pytest.mark.parametrize("version", [each for each in VERSIONS if each != own_version()])
def test_every_row_of_the_table(version, tmp_path, monkeypatch):
    folder = folder_of(version)
    if folder is None:
        pytest.skip(f"NO bash {version} at {PLACE / version}/bash: not tried (make bashes)")
    monkeypatch.setenv("FAIRLEAD_BASH", str(folder))
    wrong = []
    for number, row in enumerate(each for each in rows() if not why_not(each, "bash")):
        here = tmp_path / str(number)
        here.mkdir()
        row = placed(row, here)
        write_files(row, here)
        try:
            check(row, through_bash(row, here))
        except AssertionError as error:
            wrong.append((row["says"], str(error)))
    assert wrong == []


def test_the_bash_that_these_tests_run_is_one_that_the_door_works_with():
    assert own_version() in VERSIONS
