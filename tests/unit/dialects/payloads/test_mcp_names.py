import pytest

from fairlead.dialects.payloads.mcp_names import spelled


@pytest.mark.parametrize(
    ("names", "name", "parts"),
    [
        ("@<server>/<name>", "@a/b/c", ("a", "b/c")),
        ("@<server>/<name>", "a/b", ("", "")),
        ("@<server>/<name>", "@a", ("", "")),
        ("<server>___<name>", "a__b___c___d", ("a__b", "c___d")),
        ("<server>_<name>", "a_b_c", ("a", "b_c")),
        ("<server>_<name>", "own_tool", ("", "")),
        ("<server>_<name>", "plain", ("", "")),
        ("<server>_<name>", "_odd", ("", "")),
    ],
)
def test_a_name_is_split_as_it_is_spelled(names: str, name: str, parts: tuple[str, str]) -> None:
    assert spelled(names, but={"own_tool"})({}, name) == parts
