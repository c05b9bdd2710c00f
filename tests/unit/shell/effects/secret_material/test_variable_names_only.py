import pytest

from fairlead.shell.effects.secret_material.variable_names_only import keeps_names
from fairlead.shell.reader import read_script


def _keeps(text: str) -> bool:
    (command,) = read_script(text, cwd="/p", home="/h").commands
    return keeps_names(command)


@pytest.mark.parametrize(
    "text",
    [
        "cut -d= -f1 .env",
        "cut -f 1 -d '=' .env",
        "awk -F= '/KEY/ {print $1}' .env",
        "sed 's/=.*/=***/' .env",
        "sed -E 's|=.*||' .env",
        "grep -oE '^[A-Z_]+' .env",
        "grep -o '^[^=]*' .env",
    ],
)
def test_a_filter_that_drops_what_follows_the_equals_sign_keeps_names(text: str) -> None:
    assert _keeps(text)


@pytest.mark.parametrize(
    "text",
    [
        "cut -d= -f1,2 .env",
        "cut -d= -f1- .env",
        "cut -d: -f1 .env",
        "awk '{print $1}' .env",
        "awk -F= '{print $1}{print $2}' .env",
        "sed 's/=.*//;p' .env",
        "sed 's/=.*/&/' .env",
        "sed -e 's/=.*//' -e p .env",
        "grep -o '.*' .env",
        "grep '^[A-Z_]*' .env",
        "cat .env",
    ],
)
def test_a_filter_that_lets_values_through_does_not(text: str) -> None:
    assert not _keeps(text)
