"""Scripts under a profile inside our engine: what the original shrugs off, and what stays ours."""

import json

import pytest

from fairlead.assembly import Execution, build
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Hook, HookType, Outcome, Run
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.policy.policy import Policy
from fairlead.testing import shell_event
from originals_kit import PATH, Originals

DENY = {"decision": "deny", "reason": "no"}

LS = shell_event("ls").replace(root="/tmp", cwd="/tmp")

both = pytest.mark.parametrize("profile", ["gemini", "llxprt"])


@both
def test_a_timeout_lets_the_call_pass_and_says_so(profile, tmp_path):
    scripts = Originals(tmp_path, profile, "BeforeTool")
    scripts.script('echo \'{"decision":"deny"}\'; exec sleep 20', timeout=0.3)
    verdict, (outcome,) = scripts.fire()
    assert (verdict.decision, verdict.failures) == (Decision.CONTINUE, ())
    assert "no answer within 0.3 s" in outcome.metrics["ignored"]
    assert f"script1 failed, and under {profile} the call goes on" in verdict.system_message


@both
def test_a_program_that_cannot_start_lets_the_call_pass_and_says_so(profile, tmp_path):
    scripts = Originals(tmp_path, profile, "BeforeTool")
    scripts.says()
    (scripts.folder / "script1").write_text("#!/no/such/interpreter\n")
    verdict, (outcome,) = scripts.fire()
    assert verdict.decision is Decision.CONTINUE
    assert "could not be started" in outcome.metrics["ignored"]


@both
def test_one_that_fails_takes_no_deny_away_from_another(profile, tmp_path):
    scripts = Originals(tmp_path, profile, "BeforeTool", execution="parallel")
    scripts.script("exec sleep 20", timeout=0.3)
    denying = scripts.answers(DENY)
    verdict, _ = scripts.fire()
    assert (verdict.decision, verdict.reason, verdict.hook) == (Decision.BLOCK, "no", denying)


def test_more_output_than_is_kept_blocks(tmp_path):
    """The original has no such cap, so what it would have read is not known: law 2, not the profile."""
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    scripts.script("head -c 2000000 /dev/zero | tr '\\0' x")
    verdict, (outcome,) = scripts.fire()
    assert verdict.decision is Decision.BLOCK
    assert "more than is kept" in outcome.failure.message


def test_the_deadline_of_the_call_blocks(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    scripts.script("exec sleep 20")
    scripts.answers({})
    verdict = build(scripts.policy()).fire(LS, seconds=0.3, execute=Execution(PATH))
    assert verdict.decision is Decision.BLOCK
    assert len(verdict.failures) == 2


def test_a_profile_that_nobody_knows_blocks():
    hook = Hook("h", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", ("/bin/true",), profile="novel"))
    verdict = _fire([hook])
    assert verdict.decision is Decision.BLOCK and "novel" in verdict.reason


def test_only_a_program_can_run_under_a_profile():
    hook = Hook("h", HookType.SAFETY, EventName.BEFORE_TOOL, Run("call", lambda *_: None, profile="gemini"))
    assert _fire([hook]).decision is Decision.BLOCK


def _fire(hooks):
    return build(Policy(()), more=hooks).fire(LS, execute=Execution(PATH))


@pytest.mark.parametrize("order", [("ours", "theirs"), ("theirs", "ours")])
def test_a_strict_deny_stands_beside_an_allow_of_the_profile(order, tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    for who in order:
        if who == "ours":
            scripts.answers(DENY, profile="strict")
        else:
            scripts.answers({"decision": "allow"})
    verdict, _ = scripts.fire()
    assert (verdict.decision, verdict.reason) == (Decision.BLOCK, "no")


def test_an_allow_of_the_profile_lifts_no_default_of_the_policy(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool", type="authorization", default_decision="block")
    scripts.answers({"decision": "allow"})
    verdict, _ = scripts.fire()
    assert (verdict.decision, verdict.hook) == (Decision.BLOCK, "policy")


def test_a_rewrite_of_the_profile_is_seen_by_our_guards(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool", type="transformation")
    scripts.answers({"hookSpecificOutput": {"tool_input": {"command": "rm -rf /"}}})
    verdict, _ = scripts.fire({"tool_name": "Bash", "tool_input": {"command": "ls"}}, guards=True)
    assert verdict.decision is Decision.BLOCK
    assert verdict.hook == "block-dangerous-commands"


def test_the_two_profiles_are_merged_apart_from_each_other(tmp_path):
    """For llxprt a silent exit code 2 blocks, for gemini it means nothing; both are asked, ours decides."""
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    scripts.says(exit=2)
    scripts.says(exit=2, profile="llxprt")
    verdict, outcomes = scripts.fire()
    assert [outcome.decision for outcome in outcomes] == [Decision.CONTINUE, Decision.BLOCK]
    assert verdict.hook == "script2"


def test_the_last_word_wins_before_the_model_where_the_original_lets_it(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeModel")
    scripts.answers(DENY)
    scripts.answers({"decision": "allow"})
    verdict, _ = scripts.fire()
    assert verdict.decision is Decision.CONTINUE


def test_a_denied_model_call_may_be_answered_in_its_place(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeModel")
    answer = {"candidates": [{"content": {"role": "model", "parts": ["cached"]}, "finishReason": "STOP"}]}
    scripts.answers({**DENY, "hookSpecificOutput": {"llm_response": answer}})
    verdict, _ = scripts.fire()
    assert verdict.decision is Decision.BLOCK
    (candidate,) = verdict.extra["llm_response"]["candidates"]
    assert candidate["content"]["parts"] == [{"text": "cached"}]


def test_an_unusable_answer_in_the_models_place_undoes_the_deny_as_it_does_there(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeModel")
    scripts.answers({**DENY, "hookSpecificOutput": {"llm_response": {"text": "x"}}})
    verdict, (outcome,) = scripts.fire()
    assert verdict.decision is Decision.CONTINUE
    assert "cannot be used" in outcome.metrics["ignored"]


@both
def test_after_the_model_a_deny_stands_beside_an_answer_that_cannot_be_used(profile, tmp_path):
    scripts = Originals(tmp_path, profile, "AfterModel")
    scripts.answers({**DENY, "systemMessage": "m", "hookSpecificOutput": {"llm_response": {"text": "x"}}})
    verdict, _ = scripts.fire()
    assert (verdict.decision, verdict.reason, verdict.system_message) == (Decision.BLOCK, "no", "m")


@both
def test_after_the_model_an_answer_that_cannot_be_used_takes_no_message_away(profile, tmp_path):
    scripts = Originals(tmp_path, profile, "AfterModel")
    scripts.answers({"systemMessage": "m", "hookSpecificOutput": {"llm_response": {"candidates": [{}]}}})
    verdict, (outcome,) = scripts.fire()
    assert (verdict.decision, verdict.system_message) == (Decision.CONTINUE, "m")
    assert "cannot be used" in outcome.metrics["ignored"]


@both
def test_a_stop_before_the_model_stands_beside_an_answer_that_cannot_be_used(profile, tmp_path):
    scripts = Originals(tmp_path, profile, "BeforeModel")
    scripts.answers({**DENY, "continue": False, "hookSpecificOutput": {"llm_response": {"text": "x"}}})
    verdict, _ = scripts.fire()
    assert (verdict.decision, verdict.stop) == (Decision.BLOCK, True)


@pytest.mark.parametrize(("profile", "texts"), [("gemini", ["native"]), ("llxprt", [])])
def test_after_the_model_only_llxprt_takes_an_answer_without_parts(profile, texts, tmp_path):
    scripts = Originals(tmp_path, profile, "AfterModel", type="transformation")
    emptied = {"candidates": [{"content": {"parts": []}}]}
    scripts.answers({"hookSpecificOutput": {"llm_response": emptied}})
    native = {"candidates": [{"content": {"role": "model", "parts": [{"text": "native"}]}}]}
    verdict, _ = scripts.fire({"llm_request": {"contents": []}, "llm_response": native, "api": "gemini"})
    (candidate,) = verdict.extra.get("llm_response", native)["candidates"]
    assert [part["text"] for part in candidate["content"]["parts"]] == texts


def test_a_number_that_is_infinite_to_one_script_is_null_to_the_next_and_to_the_tool(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool", type="transformation")
    scripts.says('{"hookSpecificOutput": {"tool_input": {"n": 1e400, "m": 9007199254740993}}}')
    heard = scripts.listens()
    verdict, _ = scripts.fire()
    assert json.loads(heard.read_text())["tool_input"] == {"given": 1, "n": None, "m": 9007199254740992}
    assert verdict.updated_input == {"n": None, "m": 9007199254740992}


def test_results_go_through_in_the_order_of_declaration(tmp_path):
    scripts = Originals(tmp_path, "gemini", "AfterTool")
    for word in ("one", "two"):
        scripts.answers({"hookSpecificOutput": {"additionalContext": word}})
    verdict, _ = scripts.fire()
    assert verdict.additional_context == "one\ntwo"


def test_each_hook_of_a_profile_can_be_switched_off(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    scripts.answers(DENY)
    scripts.answers({"decision": "allow"})
    system = build(scripts.policy())
    assert [hook.run.profile for hook in system.get_all_hooks() if hook.id == "script1"] == ["gemini"]
    assert system.fire(LS, execute=Execution(PATH)).decision is Decision.BLOCK
    system.set_hook_enabled("script1", False)
    assert system.fire(LS, execute=Execution(PATH)).decision is Decision.CONTINUE


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        ("gemini", ["GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"]),
        ("llxprt", ["LLXPRT_PROJECT_DIR"]),
    ],
)
def test_a_script_finds_its_variables_and_runs_in_the_working_directory(profile, names, tmp_path):
    scripts = Originals(tmp_path, profile, "SessionStart")
    values = " ".join(f"${name}" for name in names)
    scripts.script(f'cat >/dev/null; echo "$PWD {values}"')
    verdict, _ = scripts.fire(cwd=str(tmp_path))
    assert verdict.system_message == " ".join([str(tmp_path)] * (len(names) + 1))


def _claude(tool: ToolCall, **fields) -> Event:
    payload = {"tool_name": tool.name, "tool_input": dict(tool.input), "tool_use_id": "t1"}
    return Event(EventName.BEFORE_TOOL, "PreToolUse", "claude", "s", "/tmp", "/tmp", tool, payload=payload)


def test_another_agents_tool_is_told_and_matched_under_the_originals_name(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    heard = scripts.listens(matcher="^run_shell_command$")
    scripts.answers(DENY, matcher="Bash")
    call = ToolCall("Bash", {"command": "ls"}, ToolKind.SHELL)
    verdict = build(scripts.policy()).fire(_claude(call), execute=Execution(PATH))
    assert verdict.decision is Decision.CONTINUE
    told = json.loads(heard.read_text())
    assert (told["hook_event_name"], told["tool_name"]) == ("BeforeTool", "run_shell_command")
    assert sorted(told) == [
        "cwd",
        "hook_event_name",
        "session_id",
        "timestamp",
        "tool_input",
        "tool_name",
        "transcript_path",
    ]


@pytest.mark.parametrize(
    ("profile", "call", "name"),
    [
        ("gemini", ToolCall("Grep", {"pattern": "x"}, ToolKind.SEARCH), "grep_search"),
        ("llxprt", ToolCall("Grep", {"pattern": "x"}, ToolKind.SEARCH), "search_file_content"),
        ("gemini", ToolCall("Edit", {"file_path": "x"}, ToolKind.EDIT), "replace"),
        ("gemini", ToolCall("Novel", {}, ToolKind.OTHER), "Novel"),
        (
            "gemini",
            ToolCall("mcp__fs__write", {}, ToolKind.MCP, mcp_server="fs", mcp_tool="write"),
            "mcp_fs_write",
        ),
    ],
)
def test_each_original_has_its_own_names(profile, call, name, tmp_path):
    scripts = Originals(tmp_path, profile, "BeforeTool")
    heard = scripts.listens(matcher=f"^{name}$")
    build(scripts.policy()).fire(_claude(call), execute=Execution(PATH))
    told = json.loads(heard.read_text())
    assert told["tool_name"] == name
    assert told.get("mcp_context", {}).get("server_name", "") == call.mcp_server


def test_an_originals_own_payload_is_told_as_it_came(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    heard = scripts.listens()
    payload = {"tool_name": "read_file", "tool_input": {"file_path": "x"}, "original_request_name": "r"}
    call = ToolCall("read_file", {"file_path": "x"}, ToolKind.READ)
    event = Event(EventName.BEFORE_TOOL, "BeforeTool", "gemini", "s", "/tmp", "/tmp", call, payload=payload)
    build(scripts.policy()).fire(event, execute=Execution(PATH))
    told = json.loads(heard.read_text())
    assert (told["tool_name"], told["original_request_name"]) == ("read_file", "r")


def test_observers_of_a_profile_run_and_change_nothing(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool", type="observability")
    scripts.answers(DENY)
    verdict, outcomes = scripts.fire()
    assert (verdict.decision, outcomes) == (Decision.CONTINUE, [])
    seen = build(scripts.policy()).run_observers(LS, verdict, execute=Execution(PATH))
    assert [each.metrics["profile"] for each in seen if each.hook == "script1"] == ["gemini"]
    assert all(isinstance(each, Outcome) and not each.decision.objects for each in seen)


def test_a_broken_entry_of_a_profile_answers_as_a_broken_entry(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool")
    scripts.answers({})
    scripts.answers({})
    (scripts.folder / "script2").chmod(0o644)
    verdict = build(scripts.policy()).fire(LS, execute=Execution(PATH))
    assert verdict.decision is Decision.BLOCK
    assert "not executable" in verdict.reason


def test_why_a_session_starts_is_told_and_matched_in_the_callers_own_word(tmp_path):
    scripts = Originals(tmp_path, "gemini", "SessionStart")
    heard = scripts.listens(matcher="novel")
    scripts.answers({"systemMessage": "other"}, matcher="other")
    _, outcomes = scripts.fire({"source": "novel"})
    assert [outcome.hook for outcome in outcomes] == ["script1"]
    assert json.loads(heard.read_text())["source"] == "novel"


def test_all_run_in_turn_whatever_one_of_them_says(tmp_path):
    scripts = Originals(tmp_path, "gemini", "BeforeTool", execution="pipeline")
    diary = scripts.folder / "diary"
    for word, answer in (("one", '{"decision":"deny"}'), ("two", '{"continue":false}'), ("three", "")):
        scripts.script(f"cat >/dev/null; echo {word} >> {diary}; echo '{answer}'")
    verdict, outcomes = scripts.fire()
    assert diary.read_text().split() == ["one", "two", "three"]
    assert (verdict.decision, verdict.stop, len(outcomes)) == (Decision.BLOCK, True, 3)


def test_at_once_means_at_once(tmp_path):
    """Each waits for the other: in turn, neither would ever end."""
    scripts = Originals(tmp_path, "gemini", "BeforeTool", execution="parallel")
    for mine, other in (("a", "b"), ("b", "a")):
        place = scripts.folder
        scripts.script(
            f"touch {place}/{mine}; until [ -e {place}/{other} ]; do sleep 0.02; done; echo {mine}"
        )
    verdict, _ = scripts.fire()
    assert verdict.system_message == "a\nb"


def test_one_entry_that_is_not_parallel_puts_all_in_turn(tmp_path):
    """As there, where a single `sequential` is enough; a rewrite is then seen by the next."""
    scripts = Originals(tmp_path, "gemini", "BeforeTool", type="transformation", execution="parallel")
    scripts.answers({"hookSpecificOutput": {"tool_input": {"b": 2}}})
    heard = scripts.listens()
    members = [hook for hook in build(scripts.policy()).get_all_hooks() if hook.id.startswith("script")]
    hooks = [members[0].replace(parallel=False), members[1]]
    verdict = build(Policy(()), more=hooks).fire(LS, execute=Execution(PATH))
    assert json.loads(heard.read_text())["tool_input"] == {"command": "ls", "b": 2}
    assert verdict.updated_input == {"b": 2}
