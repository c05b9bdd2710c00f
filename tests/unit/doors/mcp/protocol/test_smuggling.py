"""Messages that one reader takes for harmless and another for a call. None of them may arrive."""

import json

import pytest

from mcp_kit import OWN, Stage

CALL = '"method":"tools/call","params":{"name":"t","arguments":{}}'


def asked(method: str, params: str) -> str:
    return f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}'


def called(params: str) -> str:
    return asked("tools/call", params)


def argued(arguments: str) -> str:
    return called(f'{{"name":"t","arguments":{arguments}}}')


REFUSED_FROM_THE_CLIENT = {
    "a batch": f'[{{"jsonrpc":"2.0","id":1,{CALL}}}]',
    "the method twice, the last harmless": f'{{"jsonrpc":"2.0","id":1,{CALL},"method":"ping"}}',
    "the method twice, the first harmless": f'{{"jsonrpc":"2.0","id":1,"method":"ping",{CALL}}}',
    "Method beside method": '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}',
    "only Method": '{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"t"}}',
    "a key that ends in NUL": '{"jsonrpc":"2.0","id":1,"method":"ping","method\\u0000":"tools/call"}',
    "a long s": '{"jsonrpc":"2.0","id":1,"method":"ping","param\\u017f":{"name":"t"}}',
    "the method twice, once in other letters": f'{{"jsonrpc":"2.0","id":1,{CALL},"\\u006dethod":"ping"}}',
    "params twice": f'{{"jsonrpc":"2.0","id":1,{CALL},"params":{{"name":"u"}}}}',
    "Params beside params": f'{{"jsonrpc":"2.0","id":1,{CALL},"Params":{{"name":"u"}}}}',
    "the id twice": f'{{"jsonrpc":"2.0","id":1,{CALL},"id":2}}',
    "ID beside id": f'{{"jsonrpc":"2.0","id":1,{CALL},"ID":2}}',
    "the name twice": called('{"name":"t","name":"u"}'),
    "Name beside name": called('{"name":"t","Name":"u"}'),
    "only Name": called('{"Name":"u"}'),
    "a name with NUL": called('{"name":"t","name\\u0000":"u"}'),
    "arguments twice": called('{"name":"t","arguments":{"a":1},"arguments":{"a":2}}'),
    "Arguments beside arguments": called('{"name":"t","arguments":{},"Arguments":{"a":1}}'),
    "_meta twice": called('{"name":"t","_meta":{},"_meta":{"a":1}}'),
    "an argument that ends in NUL": argued('{"path":"a","path\\u0000":"b"}'),
    "an address twice": asked("resources/read", '{"uri":"a:b","uri":"a:c"}'),
    "URI beside uri": asked("resources/read", '{"uri":"a:b","URI":"a:c"}'),
    "NAME beside the name of a prompt": asked("prompts/get", '{"name":"a","NAME":"b"}'),
    "an argument twice": argued('{"a":1,"a":2}'),
    "an argument twice, deep": argued('{"a":[{"b":1,"b":2}]}'),
    "an argument in two spellings": argued('{"path":"a","Path":"b"}'),
    "the method in capitals": '{"jsonrpc":"2.0","id":1,"method":"TOOLS/CALL","params":{"name":"t"}}',
    "a method with NUL": '{"jsonrpc":"2.0","id":1,"method":"tools/call\\u0000","params":{"name":"t"}}',
    "a method with a blank": '{"jsonrpc":"2.0","id":1,"method":" tools/call","params":{"name":"t"}}',
    "id null": f'{{"jsonrpc":"2.0","id":null,{CALL}}}',
    "id true": f'{{"jsonrpc":"2.0","id":true,{CALL}}}',
    "id that is an object": f'{{"jsonrpc":"2.0","id":{{}},{CALL}}}',
    "id 1e0": f'{{"jsonrpc":"2.0","id":1e0,{CALL}}}',
    "id 1.5": f'{{"jsonrpc":"2.0","id":1.5,{CALL}}}',
    "id 1.0": f'{{"jsonrpc":"2.0","id":1.0,{CALL}}}',
    "an id that some readers round": f'{{"jsonrpc":"2.0","id":9007199254740993,{CALL}}}',
    "an id of the door": f'{{"jsonrpc":"2.0","id":"{OWN}list-1",{CALL}}}',
    "NaN": argued('{"a":NaN}'),
    "Infinity": argued('{"a":-Infinity}'),
    "1e400": argued('{"a":1e400}'),
    "5000 digits": argued('{"a":' + "1" * 5000 + "}"),
    "deep": argued('{"a":' + "[" * 200 + "]" * 200 + "}"),
    "very deep": argued('{"a":' + "[" * 99999 + "]" * 99999 + "}"),
    "half of a pair in a key": argued('{"\\udc00":1}'),
    "half of a pair": argued('{"a":"\\ud800"}'),
    "no version": f'{{"id":1,{CALL}}}',
    "another version": f'{{"jsonrpc":"1.0","id":1,{CALL}}}',
    "params that are a list": called('["t"]'),
    "arguments that are a list": argued('["a"]'),
    "no name": called('{}'),
    "a name that is no text": called('{"name":["t"]}'),
    "a request that is an answer": f'{{"jsonrpc":"2.0","id":1,{CALL},"result":{{}}}}',
    "a method that is no text": '{"jsonrpc":"2.0","id":1,"method":["tools/call"]}',
    "two objects": f'{{"jsonrpc":"2.0","method":"x"}}{{"jsonrpc":"2.0","id":1,{CALL}}}',
    "a comment": f'{{"jsonrpc":"2.0","id":1,/* */{CALL}}}',
    "a comma too many": f'{{"jsonrpc":"2.0","id":1,{CALL},}}',
    "a byte order mark": f'\ufeff{{"jsonrpc":"2.0","id":1,{CALL}}}',
    "a text": '"tools/call"',
    "neither request nor answer": '{"jsonrpc":"2.0","id":1}',
}  # fmt: skip


@pytest.mark.parametrize("line", REFUSED_FROM_THE_CLIENT.values(), ids=REFUSED_FROM_THE_CLIENT)
def test_it_is_refused_and_reaches_nobody(line):
    stage = Stage()
    stage.client_line(line.encode() + b"\n")
    assert stage.lines_at_server == []
    (answer,) = stage.at_client
    assert answer["error"]["code"] in (-32600, -32602, -32700)
    assert stage.judge.before_calls == []


def test_bytes_that_are_no_utf_8_are_refused():
    stage = Stage()
    stage.client_line(b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\xff"}}\n')
    assert stage.lines_at_server == []
    assert stage.at_client[0]["error"]["code"] == -32700


def test_a_call_without_an_id_is_dropped_without_an_answer():
    stage = Stage()
    stage.client_line(f'{{"jsonrpc":"2.0",{CALL}}}\n'.encode())
    assert (stage.lines_at_server, stage.lines_at_client) == ([], [])
    assert "no id" in stage.notes[0]


def test_an_end_of_line_that_only_some_readers_see_cannot_hide_a_call():
    stage = Stage()
    hidden = f'{{"jsonrpc":"2.0","id":2,{CALL}}}'
    stage.client_line(f'{{"jsonrpc":"2.0","method":"x","params":\r{hidden}\r}}\n'.encode())
    (line,) = stage.lines_at_server
    assert b"\r" not in line
    assert json.loads(line)["method"] == "x"


def test_the_refusal_names_the_request_where_it_can_be_told():
    stage = Stage()
    stage.client_line(b'{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"name":"t","Name":"u"}}\n')
    assert stage.at_client[0]["id"] == 41


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc":"2.0","id":5,"id":1,"result":{"content":["x"]}}',
        '{"jsonrpc":"2.0","id":1,"Id":5,"result":{"content":["x"]}}',
        '{"jsonrpc":"2.0","id":1,"result":{"content":[]},"Result":{"content":["x"]}}',
        '{"jsonrpc":"2.0","id":1,"result":{"content":[]},"result\\u0000":{"content":["x"]}}',
        '[{"jsonrpc":"2.0","id":1,"result":{"content":["x"]}}]',
        '{"jsonrpc":"2.0","id":1.0,"result":{"content":["x"]}}',
        '{"jsonrpc":"2.0","id":null,"result":{"content":["x"]}}',
        '{"jsonrpc":"2.0","result":{"content":["x"]}}',
        '{"jsonrpc":"2.0","id":1,"result":{"content":["x"]},"error":{"code":1,"message":"x"}}',
        'Server started {"jsonrpc":"2.0","id":1,"result":{"content":["x"]}}',
    ],
)
def test_an_answer_of_the_server_that_can_be_read_in_two_ways_does_not_arrive(line):
    stage = Stage()
    stage.call("t", id=1)
    stage.server_line(line.encode() + b"\n")
    assert '"x"' not in json.dumps([each.get("result") for each in stage.at_client])


def test_who_waits_for_an_unclear_answer_hears_of_it():
    stage = Stage()
    stage.call("t", id=1)
    stage.server(id=1, result={"content": []}, Result={"content": ["x"]})
    (answer,) = stage.at_client
    assert answer["id"] == 1
    assert "unclear" in answer["error"]["message"]


def test_a_banner_of_the_server_is_dropped_and_the_rest_goes_on():
    stage = Stage()
    stage.call("t", id=1)
    stage.server_line(b"Listening on stdio\n")
    stage.server_line(b"\n")
    stage.server(id=1, result={"content": []})
    assert len(stage.at_client) == 1


def test_a_request_of_the_server_cannot_take_an_id_of_the_door():
    stage = Stage()
    stage.server(id=f"{OWN}ask-1", method="elicitation/create", params={"message": "really?"})
    assert stage.at_client == []
    assert stage.at_server[0]["error"]["code"] == -32600


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "t", "description": "fine", "Description": "obey"},
        {"name": "t", "inputschema": {"description": "obey"}},
    ],
)
def test_a_tool_whose_words_can_be_read_in_two_ways_is_not_listed(tool):
    stage = Stage(listed=False)
    stage.client(id=1, method="tools/list")
    stage.server(id=1, result={"tools": [tool, {"name": "u"}]})
    assert [each["name"] for each in stage.at_client[0]["result"]["tools"]] == ["u"]


def test_a_list_beside_the_list_is_refused():
    stage = Stage(listed=False)
    stage.client(id=1, method="tools/list")
    stage.server(id=1, result={"tools": [], "Tools": [{"name": "u"}]})
    assert "error" in stage.at_client[0]
