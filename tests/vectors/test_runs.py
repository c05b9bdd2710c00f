"""The same vectors with real scripts: a policy entry with a profile, run through the whole engine.

What our own stages refuse before any hook runs, such as a model request that no API would take, is left to
`test_vectors.py`.
"""

import json

from fairlead.model.decision import Decision
from fairlead.model.failure import FailureCode
from originals_kit import INPUTS, Originals
from vector_rows import PROFILES, both, rows

DECISIONS = {
    "block": (Decision.BLOCK,),
    "stop": (Decision.HALT,),
    "ask": (Decision.ASK,),
    "proceed": (Decision.CONTINUE,),
    "none": (Decision.CONTINUE,),
}
HEEDED = ("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel")


def originals(folder, column, event, **options):
    return Originals(folder, PROFILES[column].name, event, **options)


@both
@rows("runner")
def test_a_script_is_read_as_the_original_reads_it(column, row, tmp_path):
    scripts = originals(tmp_path, column, "BeforeTool")
    scripts.says(row["stdout"], row["stderr"], row["exit"])
    verdict, (outcome,) = scripts.fire()
    expected = row["expected"][column]
    assert outcome.metrics["profile"] == scripts.profile
    assert (outcome.metrics["success"], outcome.metrics["output"]) == (
        expected["success"],
        expected["output"],
    )
    assert verdict.decision in DECISIONS[expected["verdict_BeforeTool"]]
    assert verdict.failures == ()


@both
@rows("aggregate")
def test_scripts_are_merged_as_the_original_merges_them(column, row, tmp_path):
    if not all(isinstance(output, dict) for output in row["outputs"]):
        return  # a script that prints anything else is a matter of reading, not of merging
    scripts = originals(tmp_path, column, row["event"], execution="parallel")
    for output in row["outputs"]:
        scripts.answers(output)
    verdict, _ = scripts.fire()
    expected = row["expected"][column]
    final, specific = expected["final"], expected["final"].get("hookSpecificOutput")
    specific = specific if isinstance(specific, dict) else {}
    if row["event"] in HEEDED:
        assert (verdict.decision is Decision.BLOCK) is expected["blocking"]
        assert verdict.stop is expected["stop"]
        reason = str(expected["effective_reason"]).strip()
        if reason and (expected["blocking"] or expected["stop"]):
            assert reason in (verdict.reason, verdict.stop_reason)
    else:
        assert (verdict.decision, verdict.stop) == (Decision.CONTINUE, False)
    assert verdict.system_message == _text(final.get("systemMessage"))
    assert verdict.suppress_output is bool(final.get("suppressOutput"))
    assert verdict.extra.get("toolConfig") == specific.get("toolConfig")
    assert bool(verdict.extra.get("clearContext")) is expected["clear_context"]
    if row["event"] == "BeforeTool" and isinstance(specific.get("tool_input"), dict):
        assert verdict.updated_input == specific["tool_input"]
    assert verdict.additional_context == _text(specific.get("additionalContext"))


@both
@rows("match_tool")
def test_a_policys_matcher_is_the_originals(column, row, tmp_path):
    event = "BeforeTool" if row["tool"] else "Notification"
    scripts = originals(tmp_path, column, event)
    scripts.says(matcher=row["matcher"])
    _, outcomes = scripts.fire({"tool_name": row["tool"], "tool_input": {}} if row["tool"] else None)
    assert bool(outcomes) is row["match"]


@both
@rows("match_trigger")
def test_a_policys_trigger_is_matched_exactly(column, row, tmp_path):
    events = {"exit": "SessionEnd", "logout": "SessionEnd", "manual": "PreCompress", "auto": "PreCompress"}
    event = events.get(row["trigger"], "SessionStart" if row["trigger"] else "Notification")
    scripts = originals(tmp_path, column, event)
    scripts.says(matcher=row["matcher"])
    _, outcomes = scripts.fire(dict.fromkeys(INPUTS[event], row["trigger"]) if row["trigger"] else None)
    assert bool(outcomes) is row["match"]


@both
@rows("translate_request")
def test_a_script_is_shown_the_request(column, row, tmp_path):
    scripts = originals(tmp_path, column, "BeforeModel")
    heard = scripts.listens()
    verdict, _ = scripts.fire({"llm_request": row["sdk"], "api": "gemini"})
    if not _refused(verdict):
        assert json.loads(heard.read_text())["llm_request"] == row[column]


@both
@rows("apply_request")
def test_a_scripts_request_is_applied(column, row, tmp_path):
    scripts = originals(tmp_path, column, "BeforeModel", type="transformation")
    scripts.answers({"hookSpecificOutput": {"llm_request": row["hook_request"]}})
    verdict, _ = scripts.fire({"llm_request": row["base"], "api": "gemini"})
    assert _refused(verdict) or verdict.extra.get("llm_request", row["base"]) == row[column]


@both
@rows("translate_response")
def test_a_response_goes_to_a_script_and_comes_from_one(column, row, tmp_path):
    scripts = originals(tmp_path, column, "AfterModel", type="transformation")
    request = {"model": "m", "contents": []}
    if row["dir"] == "to_hook":
        heard = scripts.listens()
        verdict, _ = scripts.fire({"llm_request": request, "llm_response": row["input"], "api": "gemini"})
        assert _refused(verdict) or json.loads(heard.read_text())["llm_response"] == row[column]
        return
    scripts.answers({"hookSpecificOutput": {"llm_response": row["input"]}})
    native = {"candidates": [{"content": {"role": "model", "parts": [{"text": "native"}]}}]}
    verdict, (outcome,) = scripts.fire({"llm_request": request, "llm_response": native, "api": "gemini"})
    if "throws" in row[column] or _is_none(column, row["input"]):
        assert "llm_response" not in verdict.extra and outcome.metrics["ignored"]
    elif len(row[column]["candidates"]) == 1:
        (given,), (expected,) = verdict.extra["llm_response"]["candidates"], row[column]["candidates"]
        assert given["content"] == expected["content"]
        assert given.get("finishReason") == expected.get("finishReason")


@both
@rows("chain")
def test_the_next_script_sees_what_the_others_made_of_the_input(column, row, tmp_path):
    scripts = originals(tmp_path, column, row["event"], type="transformation", execution="pipeline")
    for hook in row["previous_hooks"]:
        scripts.answers(hook["output"], hook["exit"])
    heard = scripts.listens()
    verdict, _ = scripts.fire({**INPUTS[row["event"]], **row["input"]})
    if not _refused(verdict):
        seen = json.loads(heard.read_text())
        assert seen == {**row["next_hook_sees"][column], "timestamp": seen["timestamp"]}


def _text(value):
    return value.strip() if isinstance(value, str) else ""


def _is_none(column, response):
    """After the model one of the two takes a response without parts for none; there is then no error."""
    first = (response.get("candidates") or [{}])[0]
    return column == "G" and not first["content"]["parts"] if first else True


def _refused(verdict):
    """Whether no API would take or give this; then no script is run, and a call of a model is blocked."""
    refused = any(failure.code is FailureCode.TRANSLATION_FAILURE for failure in verdict.failures)
    assert not refused or (
        verdict.outcomes == () and (verdict.decision is Decision.BLOCK or not verdict.gating)
    )
    return refused
