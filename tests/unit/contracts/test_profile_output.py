import pytest

from fairlead.contracts.profile_output import ProfileOutput
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import Capture, Hook, HookType, Run
from fairlead.model.timeline import Stream, timeline_of
from fairlead.testing import shell_event


def said(profile, exit_code, stdout=b"", stderr=b""):
    hook = Hook("h", HookType.SAFETY, EventName.BEFORE_TOOL, Run("command", "x", profile=profile))
    timeline = timeline_of((Stream.STDOUT, stdout), (Stream.STDERR, stderr))
    return ProfileOutput().read(hook, shell_event("ls"), Capture(timeline=timeline, exit_code=exit_code))


@pytest.mark.parametrize(("profile", "decision"), [("gemini", Decision.CONTINUE), ("llxprt", Decision.BLOCK)])
def test_a_silent_exit_code_2_means_what_it_means_to_the_original(profile, decision):
    assert said(profile, 2).decision is decision


def test_a_profile_is_shown_in_the_outcome():
    assert said("gemini", 0, b'{"decision": "deny", "reason": "no"}').metrics == {"profile": "gemini"}


def test_continue_false_halts():
    outcome = said("gemini", 0, b'{"continue": false, "stopReason": "enough"}')
    assert (outcome.decision, outcome.stop, outcome.reason) == (Decision.HALT, True, "enough")


def test_an_unknown_profile_is_a_failure_and_never_an_allow():
    assert said("claude", 0).failure is not None
