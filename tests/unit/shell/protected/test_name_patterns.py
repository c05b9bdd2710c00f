"""One component of a glob, and the names that it can stand for."""

import pytest

from fairlead.shell.protected.name_patterns import letters_in, name_pattern


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        (".ss*", ".ssh"),
        (".s?h", ".ssh"),
        (".[rs]sh", ".ssh"),
        (".[!a]sh", ".ssh"),
        (".[[:lower:]]sh", ".ssh"),
        ("i*r*a", "id_rsa"),
        ("*", "id_rsa"),
        ("@(id_rsa|x)", "id_rsa"),
        ("id@(_rsa|_dsa)", "id_rsa"),
        ("id?(_rsa)", "id"),
        ("!(x)", "id_rsa"),
        ("+(id)_rsa", "id_rsa"),
        ("@(a|@(id_rsa))", "id_rsa"),
        ("[[]", "["),
        ("a[", "a["),
    ],
)
def test_a_glob_fits_what_bash_lets_it_stand_for(pattern, name):
    assert name_pattern(pattern).fits(name)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("*", ".ssh"),
        ("?ssh", ".ssh"),
        ("[.]ssh", ".ssh"),
        ("@(ssh|aws)", ".ssh"),
        (".ss", ".ssh"),
        (".SS*", ".ssh"),
        (".[!s]sh", ".ssh"),
        ("id@(_rsa|_dsa)", "id"),
        ("*.key", "key"),
        ("a*b*c", "acb"),
    ],
)
def test_a_glob_fits_nothing_else(pattern, name):
    assert not name_pattern(pattern).fits(name)


def test_dotglob_lets_a_star_stand_for_a_dot():
    assert name_pattern("*", dotted=True).fits(".ssh")


def test_a_disk_or_a_shell_that_ignores_case_is_matched_so():
    assert name_pattern(".SS*", ignore_case=True).fits(".ssh")


@pytest.mark.parametrize(
    "pattern", ["*a" * 90 + "b", "*(*(*(a)b)c)d", "+(a|b)" * 30, "@(a|b|c)" * 25, "[" * 150]
)
def test_no_glob_takes_long(pattern):
    """A regular expression that gives back what it took would not come to an end here."""
    assert name_pattern(pattern).fits("a" * 250) in (True, False)


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        ("*", 0),
        (".*", 0),
        (".??*", 0),
        (".[!.]*", 0),
        ("*.json", 0),
        ("*.@(json|md)", 0),
        (".ss*", 2),
        ("[i]d*", 2),
        ("c*.json", 5),
    ],
)
def test_letters_are_those_of_a_name(pattern, letters):
    assert letters_in(pattern) == letters
