import pytest

from fairlead.errors import SettingsError
from fairlead.settings.formats.json_edit import Beside, Default, Item, with_entries, without_entries
from fairlead.settings.formats.json_text import parse

OURS = {"hooks": [{"type": "command", "command": "/x/fairlead-hook claude PreToolUse"}]}
EDIT = Item(("hooks", "PreToolUse"), OURS)


def test_comments_order_and_layout_stay() -> None:
    text = """{
    // the model
    "model": "opus", /* good */
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": []} // mine
        ],
    },
}
"""
    added = with_entries(text, [EDIT])
    kept = added.replace(
        '{"matcher": "Bash", "hooks": []}, // mine', '{"matcher": "Bash", "hooks": []} // mine'
    )
    assert all(line in kept.splitlines() for line in text.splitlines())
    assert without_entries(added) == text


def test_an_entry_that_is_there_is_not_put_in_again() -> None:
    once = with_entries("{}", [EDIT])
    assert with_entries(once, [EDIT]) == once


def test_a_default_never_replaces_what_the_file_says() -> None:
    assert with_entries('{"version": 2}', [Default(("version",), 1)]) == '{"version": 2}'


def test_a_document_of_nothing_but_comments_gets_a_value() -> None:
    assert parse(with_entries("// empty\n", [EDIT])).value == {"hooks": {"PreToolUse": [OURS]}}


def test_only_our_handler_leaves_a_group_that_somebody_put_theirs_into() -> None:
    text = '{"hooks": {"Stop": [{"hooks": [{"command": "theirs"}, {"command": "/x/fairlead-hook a"}]}]}}'
    assert without_entries(text) == '{"hooks": {"Stop": [{"hooks": [{"command": "theirs"}]}]}}'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"hooks": []}', "1:11: hooks is not an object"),
        ('{"hooks": {"PreToolUse": {}}}', "hooks.PreToolUse is not a list"),
        ("[]", "the document is not an object"),
        ('{"a": 1\n "b": 2}', "2:2: a , or } belongs here"),
        ('{"a": }', "1:7: a value belongs here"),
        ('{"a": "x', "a string that does not end"),
        ('{"a": 1} x', "more text after the end"),
        ("{/* a", "a comment that does not end"),
        ('{"a": ' * 300, "nested deeper"),
    ],
)
def test_a_file_of_another_shape_is_left_alone_and_the_place_is_named(text: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        with_entries(text, [EDIT])
    assert words in str(caught.value)


def test_windows_line_ends_are_kept() -> None:
    added = with_entries('{\r\n  "a": 1\r\n}\r\n', [EDIT])
    assert "\n" not in added.replace("\r\n", "")


@pytest.mark.parametrize(
    "text",
    [
        '{\n "0": null,\n// a comment, with a comma\n "hooks": {}\n}',
        '{\n "0": null,\n// a comment\n "hooks": {}}',
        '{\n "0": null, // one\n /* two */ "hooks": {}, "1": 2}',
        '{\n// first\n "hooks": {}, "1": 2}',
        '{\n// alone\n "hooks": {}}',
    ],
)
def test_a_comment_before_what_is_taken_out_swallows_nothing(text: str) -> None:
    edits = [Item(("hooks", "Stop"), {"command": "/bin/fairlead-hook claude Stop"}), Default(("version",), 1)]
    left = without_entries(with_entries(text, edits))
    before = parse(text).value
    assert isinstance(before, dict)
    before.pop("hooks")
    after = parse(left).value
    assert isinstance(after, dict)
    after.pop("hooks", None)
    assert after == {**before, "version": 1}


def test_an_entry_beside_others_is_made_only_where_there_is_a_list_for_it() -> None:
    beside = Beside(("PreToolUse",), OURS)
    assert with_entries('{"Stop": []}', [beside]) == '{"Stop": []}'
    added = with_entries('{"PreToolUse": []}', [beside])
    assert parse(added).value == {"PreToolUse": [OURS]}
    assert with_entries(added, [beside]) == added
