"""Records that can be read and still cannot be right."""

import pytest

from fairlead.shell.programs.checks import faults_of, missing_examples, shadows
from fairlead.shell.programs.record import Deed
from fairlead.shell.programs.source import Source


def deed(on: str, needs: str = "", unless: str = "") -> Deed:
    return Deed(on, "change-cloud", "delete", tuple(needs.split()), tuple(unless.split()))


def faults(*does: Deed, values: tuple[str, ...] = (), single_dash: bool = False) -> list[str]:
    return [
        fault for fault, _ in faults_of(Source("x", 1, does=does, values=values, single_dash=single_dash))
    ]


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("destroy|** destroy", "`**` stands inside the choice `destroy|**`: it has to be a step of its own"),
        ("a||b", "an empty word in the choice `a||b`"),
        ("|a", "an empty word in the choice `|a`"),
        ("Delete", "`Delete` never fits: words are compared in small letters"),
        ("delete **", "`**` at the end of `delete **` says nothing"),
        ("**", "`**` at the end of `**` says nothing"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_refused(pattern: str, fault: str) -> None:
    assert faults(deed(pattern)) == [fault]


@pytest.mark.parametrize("pattern", ["", "*", "delete", "** delete|rm", "a ** b", "* *-delete", "s3 rb|rm"])
def test_a_pattern_that_says_what_it_means_is_taken(pattern: str) -> None:
    assert faults(deed(pattern)) == []


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (deed("delete"), deed("delete app")),
        (deed("delete|rm"), deed("rm")),
        (deed("** delete"), deed("app delete")),
        (deed("** delete"), deed("a|b c delete|delete")),
        (deed("* delete-*"), deed("app delete-all")),
        (deed(""), deed("anything")),
        (deed("delete"), deed("delete", needs="--all")),
        (deed("delete", needs="--all -a"), deed("delete", needs="-a")),
        (deed("delete", unless="-n"), deed("delete", unless="-n --keep")),
    ],
)
def test_a_deed_that_an_earlier_one_hides_is_refused(earlier: Deed, later: Deed) -> None:
    assert shadows(earlier, later)
    (fault,) = faults(earlier, later)
    assert fault == f"`{later.on}` is never reached: `{earlier.on}` before it says all that it says"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (deed("delete app"), deed("delete")),
        (deed("rm"), deed("delete|rm")),
        (deed("app delete"), deed("** delete")),
        (deed("* delete"), deed("delete")),
        (deed("delete-[ab]"), deed("delete-a")),
        (deed("delete", needs="--all"), deed("delete")),
        (deed("delete", needs="--all"), deed("delete", needs="-a")),
        (deed("delete", unless="-n"), deed("delete")),
    ],
)
def test_a_deed_that_says_more_than_an_earlier_one_is_taken(earlier: Deed, later: Deed) -> None:
    assert not shadows(earlier, later)
    assert faults(earlier, later) == []


def test_a_long_option_with_one_dash_needs_a_word_about_dashes() -> None:
    told = "`-purge` is read as single letters: such options need `single_dash = true`"
    assert faults(deed("stop", needs="-purge")) == [told]
    assert faults(deed("stop", unless="-purge")) == [told]
    assert faults(values=("-purge",)) == [told]
    assert faults(deed("stop", needs="-purge"), single_dash=True) == []
    assert faults(deed("stop", needs="-p --purge -p=x")) == []


@pytest.mark.parametrize("harm", [{"does": (deed("x"),)}, {"code": "a.b:c"}, {"sql": ("-c",)}])
def test_a_program_that_may_do_harm_needs_both_examples(harm: dict[str, object]) -> None:
    bare = Source("x", 1, **harm)  # type: ignore[arg-type]
    assert [fault for fault, _ in missing_examples(bare)] == [
        "no example that stops",
        "no example that passes",
    ]
    shown = bare.replace(stops=("x delete",), passes=("x list",))
    assert list(missing_examples(shown)) == []


def test_a_program_that_is_only_known_by_name_needs_no_example() -> None:
    assert list(missing_examples(Source("x", 1, also=("paths",)))) == []
