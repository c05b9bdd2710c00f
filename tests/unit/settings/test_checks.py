import json
import sys

import pytest

from fairlead.settings.checks import problems_in

SOUND = {"type": "command", "command": "true", "timeout": 5}


def problems(agent: str, document: object) -> str:
    return "\n".join(problems_in(agent, "/s.json", json.dumps(document).encode()))


def test_a_sound_file_has_none() -> None:
    assert problems("claude", {"hooks": {"PreToolUse": [{"matcher": "Bash|Edit", "hooks": [SOUND]}]}}) == ""


@pytest.mark.parametrize(
    ("agent", "document", "words"),
    [
        ("claude", {"hooks": []}, "hooks is not an object"),
        ("claude", {"hooks": {"Stop": {}}}, "hooks.Stop is not a list"),
        ("claude", {"hooks": {"Stop": [{"command": "x"}]}}, "has no list of hooks in it"),
        ("claude", {"hooks": {"Stop": [{"matcher": "(", "hooks": []}]}}, "no regular expression"),
        ("claude", {"hooks": {"Stop": [{"hooks": [{**SOUND, "timeout": "5"}]}]}}, "timeout is not a number"),
        ("claude", {"hooks": {"Stop": [{"hooks": [{**SOUND, "type": "shell"}]}]}}, "type 'shell'"),
        ("claude", {"hooks": {"Stop": [{"hooks": [{**SOUND, "onFailure": "deny"}]}]}}, "onFailure"),
        ("claude", {"disableAllHooks": True}, "no hook runs"),
        ("gemini", {"hooksConfig": {"enabled": False}}, "no hook runs"),
        ("gemini", {"hooks": {"BeforeTool": [{"hooks": [SOUND]}]}}, "5 milliseconds"),
        ("cursor", {"hooks": {"stop": [{"command": "x", "timeout": "5"}]}}, "timeout is not a number"),
    ],
)
def test_what_an_agent_would_drop_in_silence_is_named(agent: str, document: object, words: str) -> None:
    assert words in problems(agent, document)


def test_a_file_that_is_no_json_is_named_with_its_place() -> None:
    assert problems_in("claude", "/s.json", b"{") == [
        '/s.json: 1:2: a name in "quotes" or a closing } belongs here'
    ]


# Python 3.13 points at the comma, older ones behind it.
COMMA = "2, column 8" if sys.version_info >= (3, 13) else "2, column 9"


@pytest.mark.parametrize(("text", "place"), [("{} // mine", "1, column 4"), ('{\n"a": [1,]}', COMMA)])
@pytest.mark.parametrize(("agent", "plain"), [("claude", True), ("codex", True), ("gemini", False)])
def test_comments_and_commas_are_named_where_the_agent_drops_the_file_for_them(
    agent: str, plain: bool, text: str, place: str
) -> None:
    found = "".join(problems_in(agent, "/s.json", text.encode()))
    assert (f"line {place}: a comment or a comma too many" in found) is plain


def test_a_mark_of_the_encoding_is_no_fault() -> None:
    assert problems_in("claude", "/s.json", b"\xef\xbb\xbf{}") == []


KIMIS = b'[[hooks]]\nevent = "Stop"\ncommand = "true"\ntimeout = 600\n'


def test_sound_hooks_of_kimi_have_no_problem() -> None:
    assert problems_in("kimi", "/h/.kimi-code/config.toml", b"model = 'x'\n" + KIMIS) == []


@pytest.mark.parametrize(
    ("added", "word"),
    [
        ('[[hooks]]\nevent = "BeforeLunch"\ncommand = "true"\n', "BeforeLunch"),
        ('[[hooks]]\nevent = "Stop"\n', "has no command"),
        ('[[hooks]]\nevent = "Stop"\ncommand = "true"\ntimeout = 601\n', "601"),
        ('[[hooks]]\nevent = "Stop"\ncommand = "true"\ntimeout = 0\n', "timeout 0"),
        ('[[hooks]]\nevent = "Stop"\ncommand = "true"\nmatcher = 1\n', "matcher"),
        ('[[hooks]]\nevent = "Stop"\ncommand = "true"\nname = "x"\n', "'name'"),
        ("model = \n", "not TOML"),
    ],
)
def test_what_makes_kimi_drop_all_its_hooks_is_named(added: str, word: str) -> None:
    (problem,) = problems_in("kimi", "/h/.kimi-code/config.toml", KIMIS + added.encode())
    assert problem.startswith("/h/.kimi-code/config.toml: ") and word in problem


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("hooks.json", '{"hooks": {"PreToolUse": []}}', "at the top"),
        ("hooks.json", '{"hooksDisabled": true}', "hooksDisabled is true"),
        ("hooks.json", '{"Stop": [{"hooks": [{"type": "command"}]}]}', "has no command"),
        ("settings.json", '{"hooks": {"hooksDisabled": true}}', "hooksDisabled is true"),
        ("settings.json", '{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}', "has no command"),
    ],
)
def test_what_makes_droid_run_none_of_its_hooks_is_named(name: str, text: str, word: str) -> None:
    (problem,) = problems_in("factory", f"/h/.factory/{name}", text.encode())
    assert word in problem


def test_sound_hooks_of_droid_have_no_problem() -> None:
    entry = '[{"hooks": [{"type": "command", "command": "true"}]}]'
    assert problems_in("factory", "/h/.factory/hooks.json", f'{{"Stop": {entry}}}'.encode()) == []
    more = f'{{"hooks": {{"showHookOutput": true, "Stop": {entry}}}}}'
    assert problems_in("factory", "/h/.factory/settings.json", more.encode()) == []


def test_either_switch_of_llxprt_is_named() -> None:
    off = b'{"tools": {"enableHooks": false}}'
    assert "tools.enableHooks" in problems_in("llxprt", "/h/.llxprt/settings.json", off)[0]


def test_an_entry_without_a_command_takes_all_hooks_of_auggie_with_it() -> None:
    hooks = {"Stop": [{"hooks": [{"type": "command"}]}]}
    (problem,) = problems_in("auggie", "/s.json", json.dumps({"hooks": hooks}).encode())
    assert "hooks.Stop[0].hooks[0] has no command" in problem
    sound = {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
    assert problems_in("auggie", "/s.json", json.dumps({"hooks": sound}).encode()) == []
