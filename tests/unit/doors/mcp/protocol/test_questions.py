"""A person is asked: by a request of the door up to 2025-11-25, later in place of the result."""

import pytest

from fairlead.doors.mcp.calls import Ruling
from fairlead.model.decision import Decision
from mcp_kit import CAN_ASK, MODERN, OWN, PlayedJudge, Stage, text_of

ASK = Ruling(Decision.ASK, "Blocked by Fairlead: ask, code 123.", question="Run t?", code="123")
ABLE = {**MODERN, **CAN_ASK}


def stage_that_asks(**rulings):
    return Stage(PlayedJudge({"t": ASK, **rulings}))


def asked(stage, **capabilities):
    """Opens a session whose client can ask, calls, and returns the question."""
    stage.open(**capabilities or {"elicitation": {}})
    stage.call("t", id=1)
    stage.at_server  # noqa: B018 - nothing of interest
    (question,) = stage.at_client
    return question


def test_a_client_that_can_is_asked_for_one_yes():
    question = asked(stage_that_asks())
    assert question["method"] == "elicitation/create"
    assert question["id"].startswith(OWN)
    assert question["params"]["message"] == "Run t?"
    (field,) = question["params"]["requestedSchema"]["properties"].values()
    assert field["type"] == "boolean"


def test_after_a_yes_the_call_goes_on():
    stage = stage_that_asks()
    question = asked(stage)
    stage.client(id=question["id"], result={"action": "accept", "content": {"allow": True}})
    assert [each["id"] for each in stage.at_server] == [1]
    assert stage.at_client == []


@pytest.mark.parametrize(
    "answer",
    [
        {"result": {"action": "accept", "content": {"allow": False}}},
        {"result": {"action": "accept", "content": {"allow": "true"}}},
        {"result": {"action": "accept", "content": {"allow": 1}}},
        {"result": {"action": "accept"}},
        {"result": {"action": "decline", "content": {"allow": True}}},
        {"error": {"code": -32601, "message": "no"}},
        {"result": []},
    ],
)
def test_whatever_is_no_yes_refuses_the_call(answer):
    stage = stage_that_asks()
    question = asked(stage)
    stage.client(id=question["id"], **answer)
    assert stage.at_server == []
    assert text_of(stage.at_client[0]) == "Blocked by Fairlead: you said no."


def test_a_question_that_was_put_aside_leaves_the_code():
    stage = stage_that_asks()
    question = asked(stage)
    stage.client(id=question["id"], result={"action": "cancel", "content": {"allow": True}})
    assert stage.at_server == []
    assert text_of(stage.at_client[0]) == "Blocked by Fairlead: ask, code 123."
    assert [choice for _, choice in stage.judge.answers] == [None]


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"elicitation": None}])
def test_a_client_that_cannot_ask_gets_the_refusal_with_the_code(capabilities):
    stage = stage_that_asks()
    stage.open(**capabilities)
    stage.call("t", id=1)
    assert text_of(stage.at_client[0]) == "Blocked by Fairlead: ask, code 123."
    assert stage.at_server == []


def test_a_question_holds_up_nothing_else():
    stage = stage_that_asks()
    asked(stage)
    stage.call("u", id=2)
    stage.server(id=2, result={"content": []})
    assert [each["id"] for each in stage.at_client] == [2]


def test_a_cancelled_call_withdraws_its_question_and_is_answered_with_nothing():
    stage = stage_that_asks()
    question = asked(stage)
    stage.client(method="notifications/cancelled", params={"requestId": 1})
    (withdrawn,) = stage.at_client
    assert withdrawn["method"] == "notifications/cancelled"
    assert withdrawn["params"]["requestId"] == question["id"]
    stage.client(id=question["id"], result={"action": "accept", "content": {"allow": True}})
    assert (stage.at_server, stage.at_client) == ([], [])


def test_who_waits_for_progress_hears_that_a_person_is_asked():
    stage = stage_that_asks()
    stage.open(elicitation={})
    stage.call("t", id=1, meta={"progressToken": "p"})
    stage.at_client  # noqa: B018 - the question
    stage.gate.tick()
    assert stage.at_client == []
    seen = []
    for _ in range(3):
        stage.clock = stage.gate.next_tick
        stage.gate.tick()
        seen += [each["params"] for each in stage.at_client]
    assert [each["progressToken"] for each in seen] == ["p"] * 3
    assert seen[0]["progress"] < seen[1]["progress"] < seen[2]["progress"]


def test_the_server_cannot_answer_the_doors_question():
    stage = stage_that_asks()
    question = asked(stage)
    stage.server(id=question["id"], result={"action": "accept", "content": {"allow": True}})
    assert (stage.at_server, stage.at_client) == ([], [])


# --- since 2026-07-28 ---


def asked_again(stage, *, params=None):
    stage.client(
        id=1, method="tools/call", params={"name": "t", "arguments": {"a": 1}, "_meta": ABLE} | (params or {})
    )
    assert stage.at_server == []
    (answer,) = stage.at_client
    return answer["result"]


def repeat(stage, result, *, allow=True, id=2, **changes):
    answer = {"action": "accept", "content": {"allow": allow}}
    params = {
        "name": "t",
        "arguments": {"a": 1},
        "_meta": ABLE,
        "inputResponses": dict.fromkeys(result["inputRequests"], answer),
        "requestState": result["requestState"],
    }
    stage.client(id=id, method="tools/call", params=params | changes)


def test_the_result_asks_and_the_repeated_call_goes_on_without_the_doors_part():
    stage = stage_that_asks()
    result = asked_again(stage)
    assert result["resultType"] == "input_required"
    (request,) = result["inputRequests"].values()
    assert request["method"] == "elicitation/create"
    repeat(stage, result)
    (sent,) = stage.at_server
    assert sent["params"] == {"name": "t", "arguments": {"a": 1}, "_meta": ABLE}


def test_a_no_refuses():
    stage = stage_that_asks()
    repeat(stage, asked_again(stage), allow=False)
    assert stage.at_server == []
    assert text_of(stage.at_client[0]) == "Blocked by Fairlead: you said no."


def test_a_yes_is_good_once():
    stage = stage_that_asks()
    result = asked_again(stage)
    repeat(stage, result)
    stage.at_server  # noqa: B018 - the allowed call
    repeat(stage, result, id=3)
    assert stage.at_server == []
    assert "too late, twice" in text_of(stage.at_client[0])


def test_a_yes_is_good_for_the_same_call_alone():
    stage = stage_that_asks()
    repeat(stage, asked_again(stage), arguments={"a": 2})
    assert stage.at_server == []


def test_a_yes_is_good_for_the_same_tool_alone():
    stage = stage_that_asks(u=ASK)
    repeat(stage, asked_again(stage), name="u")
    assert stage.at_server == []


def test_a_yes_comes_in_time_or_not_at_all():
    stage = stage_that_asks()
    result = asked_again(stage)
    stage.clock += 601
    repeat(stage, result)
    assert stage.at_server == []


def test_a_state_that_was_never_given_is_refused():
    stage = stage_that_asks()
    result = asked_again(stage)
    repeat(stage, {**result, "requestState": "fairlead." + "0" * 48})
    assert stage.at_server == []


def test_an_answer_without_a_state_is_asked_about():
    stage = stage_that_asks()
    asked_again(stage)
    answers = {"fairlead": {"action": "accept", "content": {"allow": True}}}
    again = asked_again(stage, params={"inputResponses": answers})
    assert again["resultType"] == "input_required"


def test_a_client_of_the_newer_kind_that_cannot_ask_gets_the_code():
    stage = stage_that_asks()
    stage.call("t", meta=MODERN)
    assert "code 123" in text_of(stage.at_client[0])


def test_what_the_call_carried_of_a_talk_with_the_server_comes_back_after_the_question():
    stage = stage_that_asks()
    theirs = {"requestState": "theirs", "inputResponses": {"k": {"action": "decline"}}}
    result = asked_again(stage, params=theirs)
    repeat(stage, result)
    (sent,) = stage.at_server
    assert sent["params"] == {"name": "t", "arguments": {"a": 1}, "_meta": ABLE, **theirs}


def test_when_the_server_wants_more_for_an_allowed_call_the_person_is_not_asked_again():
    stage = stage_that_asks()
    repeat(stage, asked_again(stage), id=2)
    stage.at_server  # noqa: B018 - the allowed call
    wants = {"method": "elicitation/create", "params": {"message": "size?"}}
    stage.server(
        id=2, result={"resultType": "input_required", "inputRequests": {"k": wants}, "requestState": "S"}
    )
    (answer,) = stage.at_client
    assert answer["result"]["requestState"] == "S"
    answers = {"k": {"action": "accept", "content": {"size": 1}}}
    repeat(stage, answer["result"], id=3, inputResponses=answers)
    (sent,) = stage.at_server
    assert sent["params"]["inputResponses"] == answers
    assert sent["params"]["requestState"] == "S"
    assert [yes for _, yes in stage.judge.answers] == [True, True]


def test_what_a_server_wants_in_its_result_is_judged_and_refused():
    no = Ruling(Decision.BLOCK, "Blocked by Fairlead: no sampling.")
    stage = Stage(PlayedJudge({"sampling/createMessage": no}))
    stage.call("t", id=1, meta=ABLE)
    wants = {"a": {"method": "roots/list"}, "b": {"method": "sampling/createMessage", "params": {"x": 1}}}
    stage.server(id=1, result={"resultType": "input_required", "inputRequests": wants, "requestState": "S"})
    assert text_of(stage.at_client[0]) == "Blocked by Fairlead: no sampling."
    assert [call.method for call in stage.judge.before_calls] == [
        "tools/call",
        "roots/list",
        "sampling/createMessage",
    ]


def test_what_a_server_wants_waits_for_a_yes_and_is_then_asked_of_the_client():
    stage = Stage(PlayedJudge({"sampling/createMessage": ASK}))
    stage.client(id=1, method="tools/call", params={"name": "t", "arguments": {"a": 1}, "_meta": ABLE})
    wants = {"b": {"method": "sampling/createMessage", "params": {"x": 1}}}
    theirs = {"resultType": "input_required", "inputRequests": wants, "requestState": "S"}
    stage.server(id=1, result=theirs)
    (question,) = stage.at_client
    assert list(question["result"]["inputRequests"]) == ["fairlead"]
    stage.at_server  # noqa: B018 - the call
    repeat(stage, question["result"])
    assert stage.at_client == [{"jsonrpc": "2.0", "id": 2, "result": theirs}]
    assert stage.at_server == []
    assert stage.judge.answers[0][0].method == "sampling/createMessage"


def test_what_the_client_answers_to_the_server_is_judged():
    stage = Stage()
    stage.client(id=1, method="tools/call", params={"name": "t", "arguments": {"a": 1}, "_meta": ABLE})
    wants = {"b": {"method": "sampling/createMessage", "params": {"x": 1}}}
    stage.server(id=1, result={"resultType": "input_required", "inputRequests": wants, "requestState": "S"})
    (answer,) = stage.at_client
    stage.at_server  # noqa: B018 - the call
    stage.judge.results["sampling/createMessage"] = {"content": "redacted"}
    repeat(stage, answer["result"], inputResponses={"b": {"content": "secret"}})
    assert stage.at_server[0]["params"]["inputResponses"] == {"b": {"content": "redacted"}}


# --- what the server asks by itself ---


def test_a_request_of_the_server_is_judged_and_its_answer_too():
    stage = Stage()
    stage.server(id=0, method="sampling/createMessage", params={"messages": []})
    assert stage.at_client[0]["method"] == "sampling/createMessage"
    (call,) = stage.judge.before_calls
    assert (call.method, call.arguments, call.id) == ("sampling/createMessage", {"messages": []}, 0)
    stage.judge.results["sampling/createMessage"] = {"content": "redacted"}
    stage.client(id=0, result={"content": "secret"})
    assert stage.at_server == [{"jsonrpc": "2.0", "id": 0, "result": {"content": "redacted"}}]


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("sampling/createMessage", {"error": {"code": -1, "message": "Blocked by Fairlead: no."}}),
        ("elicitation/create", {"result": {"action": "decline"}}),
        ("roots/list", {"error": {"code": -32010, "message": "Blocked by Fairlead: no."}}),
    ],
)
def test_a_refused_request_of_the_server_is_answered_in_the_words_of_the_protocol(method, answer):
    stage = Stage(PlayedJudge({method: Ruling(Decision.BLOCK, "Blocked by Fairlead: no.")}))
    stage.server(id=4, method=method, params={})
    assert stage.at_client == []
    assert stage.at_server == [{"jsonrpc": "2.0", "id": 4, **answer}]


def test_the_person_may_be_asked_whether_a_server_may_ask():
    stage = Stage(PlayedJudge({"sampling/createMessage": ASK}))
    stage.open(elicitation={})
    stage.server(id=4, method="sampling/createMessage", params={"messages": []})
    (question,) = stage.at_client
    assert question["method"] == "elicitation/create"
    stage.client(id=question["id"], result={"action": "accept", "content": {"allow": True}})
    assert [each["method"] for each in stage.at_client] == ["sampling/createMessage"]


def test_a_request_that_the_server_takes_back_while_it_is_judged_is_dropped():
    stage = Stage(PlayedJudge(quick=False))
    stage.server(id=4, method="sampling/createMessage", params={})
    stage.server(method="notifications/cancelled", params={"requestId": 4})
    stage.finish()
    assert (stage.at_client, stage.at_server) == ([], [])


def test_a_demand_with_two_readings_goes_back_to_the_server():
    stage = Stage()
    stage.server_line(
        b'{"jsonrpc":"2.0","id":4,"method":"elicitation/create","params":{"mode":"form","Mode":"url"}}\n'
    )
    assert stage.at_client == []
    assert stage.at_server[0]["error"]["code"] == -32600


def test_a_demand_without_an_id_is_dropped():
    stage = Stage()
    stage.server(method="sampling/createMessage", params={})
    assert (stage.at_client, stage.at_server) == ([], [])
