"""One reader of options, for what a program does and for what it runs."""

from fairlead.shell.arguments import option_values, read_arguments
from fairlead.shell.following.wrapper_options import read_options
from fairlead.shell.programs.running import running_of
from fairlead.shell.reader import read_script
from fairlead.shell.script import Word


def words(text: str) -> list[Word]:
    """The words of a command, of which `$X` is not known."""
    return list(read_script(text, cwd="/nowhere", home="/home/user").commands[0].argv)


def command_of(text: str) -> str:
    """What a program runs that is told this."""
    given = words(f"echo {text}")[1:]
    runs = running_of(given[0].text).itself
    assert runs is not None
    return " ".join(word.text for word in given[read_options(given, 1, runs).index :])


def test_short_options_written_together_are_told_apart() -> None:
    given = read_arguments(words("tool -rf x")[1:])
    assert given.flags == {"-r", "-f"}
    assert [word.text for word in given.operands] == ["x"]


def test_a_value_stands_behind_its_option_behind_equals_or_stuck_to_it() -> None:
    valued = ("-n", "--name")
    for text in ("-n value", "-nvalue", "-vn value", "--name value", "--name=value"):
        given = read_arguments(words(f"tool {text}")[1:], valued=valued)
        assert given.text("-n", "--name") == "value"
        assert not given.operands


def test_an_unknown_value_that_is_stuck_to_its_option_takes_no_other_word() -> None:
    given = read_arguments(words("tool -n$X delete x")[1:], valued=("-n",))
    assert [word.text for word in given.operands] == ["delete", "x"]
    value = given.value("-n")
    assert value is not None
    assert (value.text, value.prefix, value.known) == ("$X", "", False)


def test_a_dash_before_what_is_unknown_is_an_operand() -> None:
    given = read_arguments(words("tool -$X")[1:])
    assert len(given.operands) == 1


def test_an_option_without_its_value_is_a_flag() -> None:
    given = read_arguments(words("tool -n")[1:], valued=("-n",))
    assert given.flags == {"-n"}
    assert given.value("-n") is None


def test_abbreviations_are_read_where_one_option_begins_so() -> None:
    assert read_arguments(words("tool --forc")[1:], long=("--force", "--from")).flags == {"--force"}
    assert read_arguments(words("tool --f")[1:], long=("--force", "--from")).flags == {"--f"}


def test_two_dashes_end_the_options() -> None:
    given = read_arguments(words("tool a -- -r")[1:])
    assert given.flags == frozenset()
    assert given.dashes == 1
    assert [word.text for word in given.operands] == ["a", "-r"]


def test_long_options_may_have_one_dash() -> None:
    given = read_arguments(words("tool -state=x -destroy")[1:], single_dash=True)
    assert given.flags == {"-state", "-destroy"}
    assert given.text("-state") == "x"


def test_values_of_an_option_are_found_wherever_it_stands() -> None:
    found = option_values(words("tool a -e x --eval=y -ez"), "-e", "--eval")
    assert [word.text for word in found] == ["x", "y", "z"]


def test_the_command_starts_behind_options_values_and_operands() -> None:
    assert command_of("timeout -k 5 --signal KILL 10 rm -rf x") == "rm -rf x"
    assert command_of("nice -19 rm x") == "rm x"
    assert command_of("env -u A B=1 - rm x") == "rm x"
    assert command_of("timeout 5 -- rm x") == "rm x"


def test_an_option_that_begins_like_another_one_is_itself() -> None:
    assert command_of("sudo --login rm -rf x") == "rm -rf x"
    assert command_of("sudo --login-class staff rm x") == "rm x"


def test_an_unknown_value_of_a_long_option_takes_no_other_word() -> None:
    assert command_of("sudo --user=$X rm y") == "rm y"


def test_an_unknown_option_is_no_command() -> None:
    assert command_of("nice -$X rm y") == "rm y"
