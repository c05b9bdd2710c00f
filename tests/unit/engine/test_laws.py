"""The laws of the engine, each by name. Laws 5 to 9, 11 and 12 are tested where their code is."""

from contextlib import suppress

import pytest

from fairlead.engine.aggregator import aggregate, narrower_selection
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import HookType, Outcome
from fairlead.model.matching.matcher import matcher_from
from fairlead.testing import FakeClock, hook, judge, result_event, shell_event, system_of

GUARDS = [HookType.VALIDATION, HookType.TRANSFORMATION, HookType.AUTHORIZATION, HookType.SAFETY]


def no_rm(event, config, previous):
    if "rm" in event.tool.input["command"]:
        return Outcome(Decision.BLOCK, "no rm", rule="test/no-rm")
    return None


def rewrite(command, **fields):
    def rewriter(event, config, previous):
        if event.tool.input["command"] == command:
            return None
        return Outcome(updated_input={"command": command})

    return hook(rewriter, **fields)


class TestLaw1GuardsSeeTheFinalCall:
    def test_law_1_a_transformation_declared_after_a_guard_still_runs_before_it(self):
        verdict = judge([hook(no_rm), rewrite("rm -rf /", type=HookType.TRANSFORMATION)], shell_event("ls"))
        assert verdict.decision is Decision.BLOCK

    @pytest.mark.parametrize("priority", [-100, 0, 100])
    def test_law_1_a_priority_never_moves_a_rewriter_across_phases(self, priority):
        rewriter = rewrite("rm x", type=HookType.TRANSFORMATION, priority=priority)
        assert judge([hook(no_rm, priority=50), rewriter], shell_event("ls")).decision is Decision.BLOCK

    def test_law_1_a_guard_that_rewrites_after_another_approved_cannot_smuggle_a_blocked_command(self):
        guards = [hook(no_rm), rewrite("rm -rf /", id="smuggler", type=HookType.AUTHORIZATION)]
        verdict = judge(guards, shell_event("ls"))
        assert (verdict.decision, verdict.rule) == (Decision.BLOCK, "test/no-rm")

    def test_law_1_an_approval_of_the_call_as_it_was_does_not_count_for_the_call_as_it_is(self):
        def approve_ls(event, config, previous):
            return Outcome(Decision.APPROVE) if event.tool.input["command"] == "ls" else None

        verdict = judge([hook(approve_ls), rewrite("make")], shell_event("ls"))
        assert verdict.decision is Decision.CONTINUE
        assert verdict.updated_input == {"command": "make"}

    def test_law_1_an_objection_to_the_call_as_it_was_stays(self):
        def ask_about_ls(event, config, previous):
            return Outcome(Decision.ASK, "really?") if event.tool.input["command"] == "ls" else None

        assert judge([hook(ask_about_ls), rewrite("make")], shell_event("ls")).decision is Decision.ASK

    def test_law_1_a_rewrite_that_never_settles_is_blocked(self):
        def longer(event, config, previous):
            return Outcome(updated_input={"command": event.tool.input["command"] + "!"})

        verdict = judge([hook(longer)], shell_event("ls"))
        assert (verdict.decision, verdict.rule) == (Decision.BLOCK, "engine/unsettled-rewrite")
        assert [outcome.hook for outcome in verdict.outcomes].count("longer") == 3

    def test_law_1_a_rewritten_call_is_validated_again(self):
        def only_short(event, config, previous):
            if len(event.tool.input["command"]) > 5:
                return Outcome(Decision.BLOCK, "too long")
            return None

        hooks = [
            hook(only_short, type=HookType.VALIDATION),
            rewrite("echo long", type=HookType.TRANSFORMATION),
        ]
        assert judge(hooks, shell_event("ls")).decision is Decision.BLOCK

    def test_law_1_guards_that_match_only_the_new_call_are_asked_too(self):
        guard = hook(no_rm, matcher=matcher_from({"arguments": {"command": "rm*"}}))
        assert judge([guard, rewrite("rm x", id="r")], shell_event("ls")).decision is Decision.BLOCK


class TestLaw2NothingFailsOpenInSilence:
    @pytest.mark.parametrize("kind", GUARDS)
    def test_law_2_a_hook_that_raises_blocks_and_says_what_broke(self, kind):
        def crash(event, config, previous):
            raise KeyError("secret plan")

        verdict = judge([hook(crash, type=kind)], shell_event("ls"))
        assert verdict.decision is Decision.BLOCK
        assert "crash" in verdict.reason and "KeyError" in verdict.reason
        assert verdict.failures[0].stage is Stage.EXECUTION

    @pytest.mark.parametrize("kind", GUARDS)
    def test_law_2_rubbish_is_not_an_allow(self, kind):
        verdict = judge([hook(lambda e, c, p: 42, id="rubbish", type=kind)], shell_event("ls"))
        assert verdict.decision is Decision.BLOCK
        assert verdict.failures[0].stage is Stage.INTERPRETATION

    def test_law_2_on_error_is_the_answer_of_a_broken_hook(self):
        def crash(event, config, previous):
            raise OSError("down")

        assert judge([hook(crash, on_error=Decision.ASK)], shell_event("ls")).decision is Decision.ASK
        lenient = judge([hook(crash, on_error=Decision.ALLOW)], shell_event("ls"))
        assert lenient.decision is Decision.ALLOW
        assert lenient.failures, "a hook that fails open by the user's wish is still reported"

    def test_law_2_an_entry_that_could_not_be_loaded_answers_wherever_it_could_match(self):
        failure = Failure(Stage.PLANNING, FailureCode.PLANNING_FAILURE, "guard.py is missing")
        verdict = judge([hook(no_rm, broken=failure)], shell_event("ls"))
        assert verdict.decision is Decision.BLOCK and "guard.py is missing" in verdict.reason

    def test_law_2_a_matcher_that_raises_leaves_its_hook_in_the_plan(self):
        def matcher(call, state):
            raise ValueError("bad matcher")

        verdict = judge([hook(no_rm, matcher=matcher_from(matcher))], shell_event("ls"))
        assert verdict.decision is Decision.BLOCK and "bad matcher" in verdict.reason

    def test_law_2_only_observability_never_affects_a_verdict(self):
        def crash(event, config, previous):
            raise RuntimeError("disk full")

        system = system_of([hook(crash, type=HookType.OBSERVABILITY)])
        event = shell_event("ls")
        verdict = system.fire(event)
        assert verdict.decision is Decision.CONTINUE and verdict.outcomes == ()
        (observed,) = system.run_observers(event, verdict)
        assert observed.failure is not None and "disk full" in observed.failure.message

    def test_law_2_a_call_that_runs_out_of_time_is_blocked(self):
        clock = FakeClock()

        def slow(event, config, previous):
            clock.advance(10)

        verdict = system_of([hook(slow), hook(no_rm)], clock=clock).fire(shell_event("ls"), seconds=5)
        assert verdict.decision is Decision.BLOCK
        assert verdict.failures[0].code is FailureCode.TIMEOUT

    def test_law_2_a_gating_event_that_is_not_valid_is_blocked_and_others_go_on(self):
        system = system_of([])
        blocked = system.fire(Event(EventName.BEFORE_TOOL))
        assert blocked.decision is Decision.BLOCK
        assert blocked.reason == "BeforeTool input missing required field: tool_name"
        assert system.fire(Event(EventName.AFTER_TOOL)).decision is Decision.CONTINUE


class TestLaw3AllowIsNotApprove:
    def test_law_3_allow_and_continue_approve_nothing(self):
        for decision in (Decision.ALLOW, Decision.CONTINUE):
            verdict = judge([hook(lambda e, c, p, d=decision: Outcome(d), id="x")], shell_event("ls"))
            assert verdict.decision < Decision.APPROVE

    def test_law_3_none_is_no_opinion(self):
        assert judge([hook(lambda e, c, p: None, id="x")], shell_event("ls")).decision is Decision.CONTINUE

    @pytest.mark.parametrize("kind", [HookType.VALIDATION, HookType.TRANSFORMATION])
    def test_law_3_only_a_guard_can_approve(self, kind):
        hooks = [hook(lambda e, c, p: Outcome(Decision.APPROVE), id="x", type=kind)]
        assert judge(hooks, shell_event("ls")).decision is Decision.ALLOW


class TestLaw4StrongerWins:
    def test_law_4_a_hook_cannot_take_back_what_another_said(self):
        def ask(event, config, previous):
            return Outcome(Decision.ASK, "really?")

        def forget(event, config, previous):
            with suppress(AttributeError):
                previous.clear()

        verdict = judge([hook(ask), hook(forget, type=HookType.AUTHORIZATION)], shell_event("ls"))
        assert verdict.decision is Decision.ASK

    def test_law_4_a_later_allow_never_undoes_an_earlier_ask(self):
        ask = Outcome(Decision.ASK, "sure?")
        verdict = aggregate([ask, Outcome(Decision.ALLOW), Outcome(Decision.APPROVE)])
        assert (verdict.decision, verdict.reason) == (Decision.ASK, "sure?")

    def test_law_4_a_later_continue_never_cancels_a_stop(self):
        verdict = aggregate([Outcome(stop=True, stop_reason="enough"), Outcome()])
        assert (verdict.stop, verdict.stop_reason) == (True, "enough")

    def test_law_4_the_stop_reason_comes_before_the_reason_and_is_never_empty(self):
        assert aggregate([Outcome(stop=True, reason="R", stop_reason="  S ")]).stop_reason == "S"
        assert judge([hook(lambda e, c, p: Outcome(stop=True), id="x")], shell_event("ls")).stop_reason

    def test_law_4_tool_selections_intersect(self):
        narrowed = narrower_selection(
            {"mode": "AUTO", "allowedFunctionNames": ["a", "b"]},
            {"mode": "ANY", "allowedFunctionNames": ["b", "c"]},
        )
        assert narrowed == {"mode": "ANY", "allowedFunctionNames": ["b"]}

    def test_law_4_the_first_block_stops_the_pipeline(self):
        seen = []

        def second(event, config, previous):
            seen.append(event)

        judge([hook(no_rm), hook(second)], shell_event("rm x"))
        assert seen == []


class TestLaw7EveryAnswerIsExplained:
    def test_law_7_a_verdict_names_hook_and_rule(self):
        verdict = judge([hook(no_rm)], shell_event("rm x"))
        assert (verdict.hook, verdict.rule, verdict.reason) == ("no_rm", "test/no-rm", "no rm")

    def test_law_7_a_block_without_words_gets_some(self):
        assert judge([hook(lambda e, c, p: Outcome(Decision.BLOCK), id="x")], shell_event("ls")).reason


class TestLaw9TightenWithoutTrust:
    def test_law_9_of_an_untrusted_hook_only_the_objections_count(self):
        def loosen(event, config, previous):
            return Outcome(
                Decision.APPROVE, updated_input={"command": "true"}, additional_context="x", stop=True
            )

        verdict = judge([hook(loosen, trusted=False)], shell_event("ls"))
        assert verdict.decision is Decision.CONTINUE
        assert (verdict.updated_input, verdict.additional_context, verdict.stop) == (None, "", False)

    def test_law_9_an_untrusted_hook_can_block(self):
        assert judge([hook(no_rm, trusted=False)], shell_event("rm x")).decision is Decision.BLOCK


class TestLaw10FailuresAreData:
    def test_law_10_a_bug_in_a_stage_is_a_failure_that_names_the_stage(self):
        system = system_of([hook(no_rm)])
        system._planner = None
        verdict = system.fire(shell_event("ls"))
        assert verdict.decision is Decision.BLOCK
        assert verdict.failures[0].stage is Stage.PLANNING

    def test_law_10_results_are_fresh_objects(self):
        system = system_of([])
        first, second = system.fire(shell_event("ls")), system.fire(shell_event("ls"))
        assert first is not second and first == second

    def test_law_10_a_validation_hook_that_rewrites_is_told_so(self):
        verdict = judge([rewrite("x", id="v", type=HookType.VALIDATION)], shell_event("ls"))
        assert verdict.decision is Decision.BLOCK and "transformation" in verdict.reason


class TestDefaultDecision:
    EVENT = EventName.BEFORE_TOOL

    @pytest.mark.parametrize("default", [Decision.ASK, Decision.BLOCK])
    def test_it_holds_when_no_guard_objects(self, default):
        def fine(event, config, previous):
            return Outcome(Decision.ALLOW, "not my concern")

        verdict = system_of([hook(fine)], defaults={self.EVENT: default}).fire(shell_event("ls"))
        assert (verdict.decision, verdict.rule) == (default, "policy/default_decision")

    def test_allow_is_nobodys_rule(self):
        verdict = system_of([], defaults={self.EVENT: Decision.ALLOW}).fire(shell_event("ls"))
        assert (verdict.decision, verdict.rule, verdict.reason) == (Decision.ALLOW, "", "")

    @pytest.mark.parametrize("answer", [Decision.ALLOW, Decision.APPROVE])
    def test_an_authorization_lifts_it(self, answer):
        hooks = [hook(lambda e, c, p: Outcome(answer), id="x", type=HookType.AUTHORIZATION)]
        verdict = system_of(hooks, defaults={self.EVENT: Decision.BLOCK}).fire(shell_event("ls"))
        assert verdict.decision is answer

    def test_an_authorization_without_opinion_does_not(self):
        hooks = [hook(lambda e, c, p: None, id="x", type=HookType.AUTHORIZATION)]
        verdict = system_of(hooks, defaults={self.EVENT: Decision.BLOCK}).fire(shell_event("ls"))
        assert verdict.decision is Decision.BLOCK


class TestResultPhase:
    def test_each_transformation_sees_the_result_of_the_one_before(self):
        def wrap(mark):
            return lambda e, c, p: Outcome(updated_output=f"{mark}({e.result.output})")

        common = {"type": HookType.TRANSFORMATION, "event": EventName.AFTER_TOOL}
        hooks = [
            hook(wrap("outer"), id="outer", priority=10, **common),
            hook(wrap("inner"), id="inner", **common),
        ]
        assert judge(hooks, result_event("Bash", {}, "x")).updated_output == "outer(inner(x))"


class TestUnknownEvents:
    def test_an_unknown_event_passes(self):
        assert system_of([]).fire(Event(EventName.OTHER, native_name="Novelty")).decision is Decision.CONTINUE
