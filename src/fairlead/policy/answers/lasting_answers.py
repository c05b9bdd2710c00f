"""A person's yes that holds for longer than one call: an exception for exactly what was asked about."""

from __future__ import annotations

from fairlead.errors import UsageError
from fairlead.policy.answers.grants import Grant
from fairlead.policy.answers.questions import Question

ONCE, SESSION, PROJECT, WHILE = "once", "session", "project", "while"
_SESSION_SECONDS = 86400.0
"""No session is worth trusting for longer; some agents never end one."""


def can_last(question: Question) -> bool:
    """Whether an exception could name what was asked about, and mean nothing else."""
    return bool(question.rule and question.command)


def planned_exception(question: Question, length: str, *, now: float, seconds: float = 0.0) -> Grant:
    """The same command from the same rule, in the same folder of the same project, by the same agent: in this
    session, in any (`project`), or in any for some `seconds` (`while`).

    Raises UsageError where there can be none.
    """
    if not can_last(question):
        rule = question.rule or "a hook without rules of its own"
        raise UsageError(
            f"this can only be answered once: {rule} objects to more than the words of one command",
            hint="leave out --for; `fairlead allow RULE` makes a larger exception",
        )
    if length == SESSION and not question.session:
        raise UsageError("the agent named no session", hint="use --for 1h instead")
    return Grant(
        "",
        question.rule,
        question.root,
        {SESSION: now + _SESSION_SECONDS, WHILE: now + seconds}.get(length, 0.0),
        agent=question.agent,
        session=question.session if length == SESSION else "",
        command=question.command,
        cwd=question.command_cwd,
    )
