"""Calls of tools, resources and prompts: what reaches whom."""

import json

import pytest

from fairlead.doors.mcp.calls import Ruling
from fairlead.model.decision import Decision
from mcp_kit import GO, MODERN, PlayedJudge, PlayedPins, Stage, Told, text_of

BLOCK = Ruling(Decision.BLOCK, "Blocked by Fairlead: no.")


def test_an_allowed_call_reaches_the_server_and_its_result_the_client():
    stage = Stage()
    stage.call("t", id=7, a=1)
    assert stage.at_server == [
        {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "t", "arguments": {"a": 1}}}
    ]
    line = b'{"jsonrpc": "2.0",  "id": 7, "result": {"content": [] }}\n'
    stage.server_line(line)
    assert stage.lines_at_client == [line]


def test_the_judge_hears_of_the_server_the_tool_its_arguments_and_meta():
    stage = Stage()
    stage.call("t", id="x", meta={"progressToken": 3}, a=1)
    (call,) = stage.judge.before_calls
    assert (call.server, call.method, call.name, call.id) == ("s", "tools/call", "t", "x")
    assert (call.arguments, call.meta) == ({"a": 1}, {"progressToken": 3})


def test_a_refused_call_is_answered_as_a_result_that_the_model_reads():
    stage = Stage(PlayedJudge({"t": BLOCK}))
    stage.call("t", id=7)
    assert stage.at_server == []
    (answer,) = stage.at_client
    assert answer["id"] == 7
    assert answer["result"]["isError"] is True
    assert text_of(answer) == "Blocked by Fairlead: no."


def test_rewritten_arguments_reach_the_server_and_nothing_else_is_changed():
    stage = Stage(PlayedJudge({"t": GO.replace(arguments={"a": 2})}))
    stage.call("t", meta={"progressToken": 3}, a=1)
    (sent,) = stage.at_server
    assert sent["params"] == {"name": "t", "arguments": {"a": 2}, "_meta": {"progressToken": 3}}


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("resources/read", {"uri": "file:///a"}, "file:///a"),
        ("prompts/get", {"name": "p", "arguments": {"x": "y"}}, "p"),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}}, "p"),
    ],
)
def test_what_else_is_judged_has_its_name_and_an_error_as_its_refusal(method, params, name):
    stage = Stage(PlayedJudge({name: BLOCK}))
    stage.client(id=1, method=method, params=params)
    (answer,) = stage.at_client
    assert answer["error"] == {"code": -32010, "message": "Blocked by Fairlead: no."}
    assert stage.at_server == []


def test_the_result_that_the_judge_gives_replaces_the_servers():
    stage = Stage()
    stage.judge.results["t"] = {"content": [{"type": "text", "text": "[redacted]"}]}
    stage.call("t")
    stage.server(id=1, result={"content": [{"type": "text", "text": "secret"}]}, extra=1)
    (answer,) = stage.at_client
    assert text_of(answer) == "[redacted]"


def test_words_of_an_error_of_progress_and_of_a_log_are_looked_through():
    stage = Stage()
    stage.judge.words = {"message": "[redacted]"}
    stage.call("t")
    stage.server(id=1, error={"code": 5, "message": "secret"})
    stage.server(method="notifications/progress", params={"message": "secret"})
    stage.server(method="notifications/message", params={"data": "secret"})
    failed, *told = stage.at_client
    assert failed["error"] == {"message": "[redacted]"}
    assert [each["params"] for each in told] == [{"message": "[redacted]"}] * 2
    assert stage.judge.told_messages[0] == {"code": 5, "message": "secret"}


def test_words_with_nothing_in_them_pass_as_they_came():
    stage = Stage()
    line = b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"data":  "x"}}\n'
    stage.server_line(line)
    assert stage.lines_at_client == [line]


def test_the_judge_hears_who_the_client_is_in_either_era():
    stage = Stage()
    stage.open()
    who = {"io.modelcontextprotocol/clientInfo": {"name": "newer"}}
    stage.call("t", id=1, meta={**MODERN, **who})
    stage.call("t", id=2, meta={**MODERN, **who})
    assert stage.judge.clients == ["c", "newer"]


def test_the_judge_hears_in_which_folders_the_client_works():
    stage = Stage()
    stage.server(id=1, method="roots/list")
    stage.client(id=1, result={"roots": [{"uri": "file:///p"}, {"name": "x"}]})
    assert stage.judge.roots == [["file:///p"]]
    assert len(stage.at_server) == 1


@pytest.mark.parametrize(
    ("method", "member", "named_by"),
    [
        ("prompts/list", "prompts", "name"),
        ("resources/list", "resources", "uri"),
        ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ],
)
def test_other_lists_are_pinned_and_filtered_too(method, member, named_by):
    stage = Stage(pins=PlayedPins(bad="held back"))
    stage.client(id=1, method=method)
    stage.server(id=1, result={member: [{named_by: "good"}, {named_by: "bad"}]})
    assert stage.at_client[0]["result"] == {member: [{named_by: "good"}]}


def test_a_prompt_that_is_held_back_is_not_fetched():
    stage = Stage(pins=PlayedPins(bad="held back"))
    stage.client(id=1, method="prompts/get", params={"name": "bad"})
    assert stage.at_server == []
    assert stage.at_client[0]["error"]["message"] == "held back"


def test_what_the_pins_have_to_say_is_told_to_the_person():
    stage = Stage()
    stage.pins.notices = (Told("t has changed"),)
    stage.client(id=1, method="tools/list")
    stage.server(id=1, result={"tools": [{"name": "t"}]})
    assert stage.notes == ["t has changed"]


def test_the_judge_gets_the_schema_of_what_a_tool_answers():
    stage = Stage(listed=False)
    schema = {"type": "object"}
    stage.client(id=1, method="tools/list")
    stage.server(id=1, result={"tools": [{"name": "t", "outputSchema": schema}]})
    stage.call("t", id=2)
    stage.server(id=2, result={"structuredContent": {}})
    assert stage.judge.after_calls[0][2] == schema


def test_a_result_with_a_key_twice_is_sent_on_as_it_was_judged():
    stage = Stage()
    stage.call("t")
    stage.server_line(b'{"jsonrpc":"2.0","id":1,"result":{"content":["x"],"content":["y"]}}\n')
    assert stage.lines_at_client == [b'{"jsonrpc":"2.0","id":1,"result":{"content":["y"]}}\n']


def test_a_number_that_is_none_is_null_for_the_judge_and_for_the_client():
    stage = Stage()
    stage.call("t")
    stage.server_line(b'{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"x":NaN}}}\n')
    assert stage.at_client[0]["result"] == {"structuredContent": {"x": None}}
    assert stage.judge.after_calls[0][1] == {"structuredContent": {"x": None}}


def test_a_judge_that_breaks_refuses_the_call():
    class Broken(PlayedJudge):
        def before(self, call):
            raise RuntimeError("password")

    stage = Stage(Broken())
    stage.call("t")
    assert stage.at_server == []
    assert "RuntimeError" in (text := text_of(stage.at_client[0]))
    assert "password" not in text


def test_what_is_held_back_is_told_to_the_judge_and_refused_also_where_it_cannot_be_recorded():
    class Broken(PlayedJudge):
        def held_back(self, call, why):
            super().held_back(call, why)
            raise RuntimeError

    stage = Stage(Broken(), PlayedPins(bad="held back"))
    stage.call("bad", a=1)
    assert stage.at_server == []
    assert text_of(stage.at_client[0]) == "held back"
    assert [(call.name, call.arguments, why) for call, why in stage.judge.held] == [
        ("bad", {"a": 1}, "held back")
    ]
    assert stage.judge.before_calls == []


def test_a_judge_that_breaks_withholds_the_result():
    class Broken(PlayedJudge):
        def after(self, call, ruling, result, *, schema):
            raise RuntimeError

    stage = Stage(Broken())
    stage.call("t")
    stage.server(id=1, result={"content": [{"type": "text", "text": "secret"}]})
    assert "secret" not in text_of(stage.at_client[0])


def test_a_slow_judgement_holds_up_nothing_else():
    stage = Stage(PlayedJudge(quick=False))
    stage.call("t", id=1)
    stage.client(id=2, method="ping")
    stage.server(method="notifications/message", params={})
    assert [each["method"] for each in stage.at_server] == ["ping"]
    assert [each["method"] for each in stage.at_client] == ["notifications/message"]
    stage.finish()
    assert [each["id"] for each in stage.at_server] == [1]


def test_two_slow_judgements_may_end_in_any_order():
    stage = Stage(PlayedJudge(quick=False))
    stage.call("t", id=1)
    stage.call("t", id=2)
    stage.finish(1)
    stage.finish(0)
    assert [each["id"] for each in stage.at_server] == [2, 1]


def test_a_large_line_is_judged_beside_the_others_though_the_judge_is_quick():
    stage = Stage()
    stage.call("t", a="x" * 100_000)
    assert len(stage.jobs) == 1


def test_a_call_that_is_cancelled_while_it_is_judged_is_dropped_without_a_word():
    stage = Stage(PlayedJudge(quick=False))
    stage.call("t", id=1)
    stage.client(method="notifications/cancelled", params={"requestId": 1})
    stage.finish()
    assert (stage.at_server, stage.at_client) == ([], [])


def test_a_cancellation_of_a_call_at_the_server_is_passed_on_and_a_late_result_is_still_judged():
    stage = Stage()
    stage.call("t", id=1)
    stage.client(method="notifications/cancelled", params={"requestId": 1})
    assert [each["method"] for each in stage.at_server] == ["tools/call", "notifications/cancelled"]
    stage.server(id=1, result={"content": []})
    assert len(stage.judge.after_calls) == 1


def test_cancelled_calls_that_are_never_answered_do_not_pile_up():
    stage = Stage()
    for id in range(12_000):
        stage.call("t", id=id)
        stage.client(method="notifications/cancelled", params={"requestId": id})
    assert len(stage.at_server) == 24_000
    assert stage.at_client == []


def test_a_cancellation_of_what_is_over_passes():
    stage = Stage()
    stage.client(method="notifications/cancelled", params={"requestId": 99})
    assert len(stage.at_server) == 1


def test_both_sides_may_count_from_the_same_number():
    stage = Stage()
    stage.call("t", id=0)
    stage.server(id=0, method="ping")
    stage.client(id=0, result={})
    stage.server(id=0, result={"content": []})
    assert [each.get("method") for each in stage.at_client] == ["ping", None]
    assert [each.get("method") for each in stage.at_server] == ["tools/call", None]
    assert len(stage.judge.after_calls) == 1


def test_an_answer_that_nobody_waits_for_is_dropped():
    stage = Stage()
    stage.server(id=5, result={"content": ["unjudged"]})
    stage.client(id=6, result={})
    assert (stage.at_client, stage.at_server) == ([], [])


def test_a_second_answer_to_the_same_call_is_dropped():
    stage = Stage()
    stage.call("t", id=1)
    stage.server(id=1, result={"content": []})
    stage.server(id=1, result={"content": ["unjudged"]})
    assert len(stage.at_client) == 1


def test_an_answer_to_1_may_say_1_as_text_and_is_judged():
    stage = Stage()
    stage.call("t", id=1)
    stage.server(id="1", result={"content": []})
    assert len(stage.judge.after_calls) == 1
    assert len(stage.at_client) == 1


def test_an_id_in_use_is_refused_so_that_no_result_escapes_its_judge():
    stage = Stage()
    stage.call("t", id=1)
    stage.client(id=1, method="ping")
    assert [each["method"] for each in stage.at_server] == ["tools/call"]
    assert stage.at_client[0]["error"]["code"] == -32600


def test_what_is_not_judged_passes_byte_for_byte_in_both_directions():
    stage = Stage()
    asked = b'{ "method" : "x/y", "id":3,"jsonrpc": "2.0", "params":{"a":1,"a":2, "b":1e400}, "params2": 1}\n'
    told = b'{"jsonrpc":"2.0","method":"x\\u002fz"}\r\n'
    answered = b'{"result":{"a":1,  "b":"\\u00e9"},"jsonrpc":"2.0","id":3}\n'
    stage.client_line(asked)
    stage.client_line(told)
    assert stage.lines_at_server == [asked, told]
    plain = b'{ "method" : "x/y", "id":4,"jsonrpc": "2.0"}\n'
    stage.client_line(plain)
    stage.server_line(answered.replace(b"3}", b"4}"))
    assert stage.lines_at_client == [answered.replace(b"3}", b"4}")]


def test_a_pinned_tool_that_changed_is_out_of_the_list_and_its_call_refused():
    pins = PlayedPins(bad="Blocked by Fairlead: bad has changed; see `fairlead mcp diff s`.")
    stage = Stage(pins=pins, listed=False)
    stage.client(id=1, method="tools/list")
    stage.server(id=1, result={"tools": [{"name": "t"}, {"name": "bad"}], "ttlMs": 5})
    assert stage.at_client[0]["result"] == {"tools": [{"name": "t"}], "ttlMs": 5}
    stage.at_server  # noqa: B018 - the list
    stage.call("bad", id=2)
    assert stage.at_server == []
    assert "fairlead mcp diff" in text_of(stage.at_client[0])
    assert stage.judge.before_calls == []


def test_a_list_without_blocked_tools_passes_as_it_came():
    stage = Stage()
    line = b'{"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name":"t", "description": "x"}]}}\n'
    stage.client(id=2, method="tools/list")
    stage.server_line(line)
    assert stage.lines_at_client == [line]


def test_pages_are_one_list_for_the_pins():
    stage = Stage(listed=False)
    stage.client(id=1, method="tools/list")
    stage.server(id=1, result={"tools": [{"name": "a"}], "nextCursor": "2"})
    stage.client(id=2, method="tools/list", params={"cursor": "2"})
    stage.server(id=2, result={"tools": [{"name": "b"}]})
    assert stage.pins.lists == [(["a"], False), (["a", "b"], True)]


def test_before_the_first_call_the_door_lists_by_itself_in_the_words_of_the_call():
    stage = Stage(listed=False)
    stage.call("t", id=1, meta={**MODERN, "progressToken": 4})
    stage.call("t", id=2)
    (listing,) = stage.at_server
    assert listing["method"] == "tools/list"
    assert listing["params"] == {"_meta": MODERN}
    stage.server(id=listing["id"], result={"tools": [{"name": "t"}], "nextCursor": "n"})
    (more,) = stage.at_server
    assert more["params"] == {"cursor": "n", "_meta": MODERN}
    stage.server(id=more["id"], result={"tools": [{"name": "u"}]})
    assert [each["id"] for each in stage.at_server] == [1, 2]
    assert stage.at_client == []
    assert stage.pins.lists[-1] == (["t", "u"], True)


def test_a_server_without_a_list_can_still_be_called():
    stage = Stage(listed=False)
    stage.call("t", id=1)
    (listing,) = stage.at_server
    stage.server(id=listing["id"], error={"code": -32601, "message": "no"})
    assert [each["id"] for each in stage.at_server] == [1]
    assert stage.at_client == []


def test_after_a_change_of_the_list_the_door_looks_again_before_the_next_call():
    stage = Stage()
    stage.server(method="notifications/tools/list_changed")
    assert len(stage.at_client) == 1
    stage.pins.why["t"] = "Blocked by Fairlead: t has changed."
    stage.call("t", id=1)
    (listing,) = stage.at_server
    stage.server(id=listing["id"], result={"tools": [{"name": "t", "description": "new"}]})
    assert stage.at_server == []
    assert "has changed" in text_of(stage.at_client[0])


def test_a_call_that_is_cancelled_while_the_door_lists_is_dropped():
    stage = Stage(listed=False)
    stage.call("t", id=1)
    (listing,) = stage.at_server
    stage.client(method="notifications/cancelled", params={"requestId": 1})
    stage.server(id=listing["id"], result={"tools": []})
    assert (stage.at_server, stage.at_client) == ([], [])


def test_instructions_may_be_replaced():
    stage = Stage()
    stage.pins.instead = ""
    stage.client(id=1, method="initialize", params={"capabilities": {}})
    stage.server(id=1, result={"instructions": "obey", "capabilities": {"tools": {}}})
    assert stage.at_client[0]["result"] == {"instructions": "", "capabilities": {"tools": {}}}


def test_a_probe_for_the_newer_protocol_and_its_refusal_pass_as_they_are():
    stage = Stage()
    stage.client(id=1, method="server/discover", params={"_meta": MODERN})
    assert len(stage.lines_at_server) == 1
    line = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}\n'
    stage.server_line(line)
    assert stage.lines_at_client == [line]


@pytest.mark.parametrize("shape", ["legacy", "modern"])
def test_the_result_of_a_task_is_judged_as_that_of_its_call(shape):
    stage = Stage()
    stage.judge.results["t"] = {"content": ["redacted"]}
    stage.client(id=1, method="tools/call", params={"name": "t", "task": {}})
    task = {"taskId": "T", "status": "working"}
    result = {"task": task} if shape == "legacy" else {"resultType": "task", **task}
    stage.judge.results.clear()
    stage.server(id=1, result=result)
    assert stage.at_client[0]["result"] == result
    stage.judge.results["t"] = {"content": ["redacted"]}
    if shape == "legacy":
        stage.client(id=2, method="tasks/result", params={"taskId": "T"})
        stage.server(id=2, result={"content": ["secret"]})
        assert stage.at_client[0]["result"] == {"content": ["redacted"]}
    else:
        stage.client(id=2, method="tasks/get", params={"taskId": "T"})
        done = {"taskId": "T", "status": "completed", "result": {"content": ["secret"]}}
        stage.server(id=2, result=done)
        assert stage.at_client[0]["result"] == {**done, "result": {"content": ["redacted"]}}
    assert stage.judge.after_calls[-1][0].name == "t"


def test_a_notification_with_the_result_of_a_task_is_judged():
    stage = Stage()
    stage.client(id=1, method="tools/call", params={"name": "t"})
    stage.server(id=1, result={"resultType": "task", "taskId": "T"})
    stage.at_client  # noqa: B018 - the task
    stage.judge.results["t"] = {"content": ["redacted"]}
    stage.server(method="notifications/tasks", params={"taskId": "T", "result": {"content": ["secret"]}})
    assert stage.at_client[0]["params"] == {"taskId": "T", "result": {"content": ["redacted"]}}


def test_lines_with_ends_in_them_that_only_some_readers_see_leave_as_one_line():
    stage = Stage()
    stage.call("t", a="one\u2028two\x85")
    (line,) = stage.lines_at_server
    assert "\u2028".encode() not in line
    assert json.loads(line)["params"]["arguments"] == {"a": "one\u2028two\x85"}


@pytest.mark.parametrize(
    "more",
    [
        {"result": {}},
        {"task": {"taskId": "T", "result": {}}},
        {"resultType": "input_required", "inputRequests": {}},
        {"resultType": "task", "taskId": "T"},
        {"resultType": "something else"},
        {"Result": {}},
    ],
)
def test_a_result_with_content_is_judged_whatever_else_it_says_of_itself(more):
    stage = Stage()
    stage.judge.results["t"] = {"content": ["redacted"]}
    stage.call("t")
    stage.server(id=1, result={"content": ["secret"], **more})
    assert stage.at_client[0]["result"] == {"content": ["redacted"]}


def test_what_is_said_of_a_task_beside_its_result_is_looked_through_too():
    stage = Stage()
    stage.judge.words = {"statusMessage": "redacted"}
    stage.client(id=2, method="tasks/get", params={"taskId": "T"})
    stage.server(id=2, result={"taskId": "T", "statusMessage": "secret", "result": {"content": []}})
    assert stage.at_client[0]["result"]["statusMessage"] == "redacted"
    assert stage.judge.after_calls[-1][1] == {"content": []}
