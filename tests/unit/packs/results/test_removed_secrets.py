"""Key material in results, and what stays because it is none."""

import base64
import json

import pytest
from hypothesis import given as given_
from hypothesis import strategies as st

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import ToolResult, call_named
from fairlead.packs.results import removed_secrets
from fairlead.packs.results.removed_secrets import remove_secrets, without_keys

KEY = "AKIA" + "QYLPMN5HFIQR7XYA"
TOKEN = "ghp_" + "x7Kd92LmQpRtVwYz14BcEfGhJnMsAu30CeDi"
MARK = "[redacted:aws-access-key-id]"


def removed(
    output: object, tool: str = "Bash", config: dict[str, object] | None = None, **given: object
) -> Outcome | None:
    call = call_named(tool, given or {"command": "env"})
    event = Event(EventName.AFTER_TOOL, cwd="/p", tool=call, result=ToolResult(output))
    return remove_secrets(event, config or {}, ())


def test_only_the_key_is_taken_out_of_a_text() -> None:
    found = removed(f"a {KEY} b\n{TOKEN}\n")
    assert found is not None
    assert str(found.updated_output).startswith(f"a {MARK} b\n[redacted:")
    assert TOKEN not in str(found.updated_output)
    assert not found.decision.objects
    assert KEY not in repr(found.replace(updated_output=None))


def test_the_shape_of_a_result_is_kept() -> None:
    output = {"stdout": f"x={KEY}", "stderr": "", "n": [1, {"deep": [KEY, None, True]}], "interrupted": False}
    found = removed(output)
    assert found is not None
    assert found.updated_output == {
        "stdout": f"x={MARK}",
        "stderr": "",
        "n": [1, {"deep": [MARK, None, True]}],
        "interrupted": False,
    }
    assert KEY in json.dumps(output), "the event itself is left as it was"


@pytest.mark.parametrize(
    "output",
    [
        "nothing here",
        "password = hunter2-and-more",
        "postgres://app:hunter2@db/prod",
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx me@host",
        "3f786850e387550fdab836ed7e6dc881de23001b",
        {"type": "image", "data": KEY},
        {"content": [{"mimeType": "image/png", "data": KEY}]},
        None,
        7,
        [],
    ],
)
def test_what_is_no_certain_key_stays(output: object) -> None:
    assert removed(output) is None


@pytest.mark.parametrize(
    "path", ["/p/tests/fixtures/key.pem", "/p/docs/auth.md", "/p/src/aws.test.ts", "/p/.env.example"]
)
def test_examples_that_are_edited_with_their_keys_stay(path: str) -> None:
    assert removed(f"key: {KEY}", "Read", file_path=path) is None
    assert removed(f"key: {KEY}", "Read", file_path="/p/src/aws.ts") is not None


@pytest.mark.parametrize("excepted", [["Bash"], ["B*"], ["Read", "Bash"]])
def test_a_policy_can_leave_a_tool_alone(excepted: list[str]) -> None:
    assert removed(KEY, config={"except": excepted}) is None
    assert removed(KEY, config={"except": ["Read"]}) is not None


def test_a_name_of_the_kind_means_every_agents_tool() -> None:
    call = call_named("mcp__x__y", {})
    event = Event(EventName.AFTER_TOOL, tool=call, result=ToolResult(KEY))
    assert remove_secrets(event, {"except": ["mcp__x__*"]}, ()) is None
    assert remove_secrets(event, {"except": ["Bash"]}, ()) is not None


def test_what_is_nested_too_deeply_goes_as_a_whole_where_a_key_is_in_it() -> None:
    deep, harmless = [KEY], ["words"]
    for _ in range(5000):
        deep, harmless = [deep], [harmless]  # type: ignore[list-item]
    assert without_keys(harmless)[0] is harmless
    left = without_keys(deep)[0]
    while isinstance(left, list):
        (left,) = left
    assert left == "[redacted:aws-access-key-id]"


def test_a_result_as_long_as_a_door_takes_is_looked_at_to_its_end() -> None:
    found = removed(["x " * (8 << 20), {"at the end": KEY}])
    assert found is not None and KEY not in str(found.updated_output)[-100:]


def test_what_is_looked_at_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removed_secrets, "_MOST", 1000)
    begins = removed(f"{KEY} " + "x" * 2000)
    assert begins is not None and len(str(begins.updated_output)) > 2000
    assert removed("x " * 500 + KEY) is None


@pytest.mark.parametrize("before", [(1 << 20) - 10, (1 << 20) - (1 << 16) - 5, 3 << 20])
def test_a_key_at_the_seam_of_two_pieces_is_found_once(before: int) -> None:
    text, kinds = without_keys("x " * (before // 2) + KEY + " y")
    assert kinds == ("aws-access-key-id",)
    assert str(text).endswith("x [redacted:aws-access-key-id] y") and str(text).count("[redacted") == 1


def _escaped(text: str, levels: int) -> str:
    """Each letter as JSON may spell it, in JSON that stands in JSON."""
    spelled = "".join(f"\\u{ord(letter):04x}" for letter in text)
    said = f'{{"k":"{spelled}","rest":"a\\/b"}}'
    for _ in range(levels - 1):
        said = json.dumps({"text": said})
    return said


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_key_that_is_spelled_with_escapes_is_a_key_and_the_text_stays_json(levels: int) -> None:
    text, kinds = without_keys(_escaped(KEY, levels))
    assert kinds == ("aws-access-key-id",)
    said: dict[str, str] = {"text": str(text)}
    for _ in range(levels):
        said = json.loads(said["text"])
    assert said == {"k": "[redacted:aws-access-key-id]", "rest": "a/b"}


@given_(st.text(alphabet='ab\\u0/"', max_size=40), st.text(alphabet='cd\\u0/"', max_size=40))
def test_whatever_stands_around_a_key_stays(before: str, after: str) -> None:
    text, _ = without_keys(f"{before} {KEY} {after}")
    assert text == f"{before} [redacted:aws-access-key-id] {after}"


def test_a_key_that_names_a_field_is_taken_out_and_no_field_is_lost() -> None:
    other = KEY[:-1] + "7"
    changed, _ = without_keys({KEY: 1, other: 2, "plain": 3})
    assert isinstance(changed, dict)
    assert sorted(changed.values()) == [1, 2, 3] and KEY not in changed and other not in changed


def test_text_that_was_encoded_to_travel_is_read_and_a_picture_is_not() -> None:
    blob = base64.b64encode(f"key: {KEY}\n".encode()).decode()
    changed, _ = without_keys({"uri": "x:y", "blob": blob})
    assert isinstance(changed, dict)
    assert base64.b64decode(changed["blob"]) == b"key: [redacted:aws-access-key-id]\n"
    picture = {"type": "image", "mimeType": "image/png", "data": KEY}
    assert without_keys(picture)[0] is picture
    told, _ = without_keys({**picture, "caption": KEY})
    assert told == {**picture, "caption": "[redacted:aws-access-key-id]"}


def test_what_the_model_tells_a_server_is_looked_at_without_a_tool() -> None:
    said = {"role": "assistant", "content": {"type": "text", "text": f"It is {KEY}."}}
    event = Event(EventName.AFTER_SAMPLING, payload={"mcp_server_name": "notes"}, result=ToolResult(said))
    found = remove_secrets(event, {}, ())
    assert found is not None and KEY not in repr(found.updated_output)
    assert "notes" in found.reason


def test_an_event_without_a_result_is_left_alone() -> None:
    event = Event(EventName.BEFORE_TOOL, tool=call_named("Bash", {"command": KEY}))
    assert remove_secrets(event, {}, ()) is None


LINES = [
    "-----BEGIN OPENSSH " + "PRIVATE KEY-----",
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAA",
    "-----END OPENSSH " + "PRIVATE KEY-----",
]


@pytest.mark.parametrize(
    "text",
    [
        f"origin https://x-access-token:{TOKEN}@github.com/a/b (fetch)",
        f"https://h.example/?token={TOKEN}&a=1",
        f"\x1b[31m{TOKEN}\x1b[0m",
        "\n".join(f"id_rsa:{number}:{line}" for number, line in enumerate(LINES)),
        "\n".join(f"     {number}→{line}" for number, line in enumerate(LINES)),
        "\n".join(f"{line}$" for line in LINES),
        base64.b64encode("\n".join([LINES[0], *LINES[1:2] * 4, LINES[2]]).encode()).decode(),
    ],
)
def test_what_a_program_prints_around_a_key_does_not_save_it(text: str) -> None:
    found = removed(text)
    assert found is not None
    said = str(found.updated_output)
    assert TOKEN not in said and LINES[1] not in said and "[redacted:" in said


def test_an_outline_of_a_key_stays() -> None:
    assert removed("-----BEGIN " + "PRIVATE KEY-----\n...\n-----END " + "PRIVATE KEY-----") is None
