"""Observed behaviour of Gemini CLI (G) and llxprt (L), reproduced by the profiles of those names.

`make test-vectors VECTORS=FILE.json` runs the same checks on any other file of that format. The vectors are
what `JSON.stringify` left of the originals' values, so ours are compared as that would write them.
"""

import pytest

from fairlead.profiles.chaining import next_input
from fairlead.profiles.javascript import as_json
from fairlead.profiles.matching import matches_tool, matches_trigger
from fairlead.profiles.merging import merge
from fairlead.profiles.model_v1 import (
    apply_request,
    request_for_hooks,
    response_for_hooks,
    response_from_hook,
)
from fairlead.profiles.process import before_tool_verdict, read_process
from vector_rows import PROFILES, both, rows

BASE = {
    "session_id": "s1",
    "transcript_path": "",
    "cwd": "/tmp",
    "timestamp": "2025-01-01T00:00:00Z",
}


@both
@rows("runner")
def test_a_process_is_read_as_the_original_reads_it(column, row):
    profile = PROFILES[column]
    killed = not isinstance(row["exit"], int)
    code = 0 if killed else row["exit"]
    result = read_process(profile, row["stdout"], row["stderr"], code, killed=killed)
    expected = row["expected"][column]
    assert (result.success, result.exit_code, as_json(result.output)) == (
        expected["success"],
        expected["exitCode"],
        expected["output"],
    )
    assert before_tool_verdict(profile, result.output) == expected["verdict_BeforeTool"]
    batch = result.success or not profile.a_failed_hook_fails_the_batch
    assert batch is expected["aggregate_success"]


@both
@rows("aggregate")
def test_outputs_are_merged_as_the_original_merges_them(column, row):
    merged = merge(PROFILES[column], row["event"], row["outputs"])
    expected = row["expected"][column]
    assert as_json(merged.final) == expected["final"]
    assert (merged.blocking, merged.stop) == (expected["blocking"], expected["stop"])
    assert as_json(merged.effective_reason) == expected["effective_reason"]
    assert merged.clear_context is expected["clear_context"]


@rows("match_tool")
def test_a_tool_is_matched_as_javascript_matches_it(row):
    assert matches_tool(row["matcher"], row["tool"]) is row["match"]


@rows("match_trigger")
def test_a_trigger_is_matched_exactly(row):
    assert matches_trigger(row["matcher"], row["trigger"]) is row["match"]


@both
@rows("translate_request")
def test_a_request_is_shown_to_hooks(column, row):
    assert request_for_hooks(row["sdk"]) == row[column]


@both
@rows("apply_request")
def test_a_hooks_request_is_applied(column, row):
    assert apply_request(PROFILES[column], row["base"], row["hook_request"]) == row[column]


@both
@rows("translate_response")
def test_a_response_is_translated(column, row):
    translate = response_for_hooks if row["dir"] == "to_hook" else response_from_hook
    expected = row[column]
    if "throws" in expected:
        with pytest.raises(TypeError):
            translate(row["input"])
    else:
        assert translate(row["input"]) == expected


@both
@rows("chain")
def test_the_next_hook_sees_what_the_others_made_of_the_input(column, row):
    tool = {"tool_name": "x"} if row["event"].endswith("Tool") else {}
    given = {**BASE, "hook_event_name": row["event"], **tool, **row["input"]}
    previous = [(hook["output"], hook["exit"]) for hook in row["previous_hooks"]]
    assert next_input(PROFILES[column], row["event"], given, previous) == row["next_hook_sees"][column]
