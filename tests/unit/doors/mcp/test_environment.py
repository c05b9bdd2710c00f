"""What a server gets of the environment."""

from fairlead.doors.mcp.environment import least


def test_base_names_and_listed_ones_pass_and_nothing_else():
    given = {"HOME": "/h", "PATH": "/bin", "TOKEN": "t", "LISTED": "l", "PYTHONPATH": "."}
    assert least(given, ["LISTED", "MISSING"]) == {"HOME": "/h", "PATH": "/bin", "LISTED": "l"}


def test_a_function_of_a_shell_is_no_value():
    assert least({"PATH": "() { :; }; echo x"}) == {}
