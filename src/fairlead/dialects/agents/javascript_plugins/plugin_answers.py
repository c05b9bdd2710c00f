"""Agents whose hooks are JavaScript in the agent itself: Fairlead's own plugin asks, and this answers it.

The plugin adds `hook_event_name`, `cwd` and `session_id` to what the agent gave it; the same payload without
them is read too. Its part of the bargain: it refuses whatever it cannot read.
"""

from __future__ import annotations

from fairlead.dialects.answers import answer_words
from fairlead.dialects.answers.abilities import Act, Can, Intent, intend
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.verdict import Reply, Verdict


def say_to_plugin(event: Event, verdict: Verdict, can: Can) -> Reply:
    intent = intend(event, verdict, can)
    if intent.refuses and event.name is EventName.AFTER_TOOL:
        # Too late to refuse the act, in time to keep its output from the model.
        return answer_words.reply({"output": answer_words.withheld(verdict)}, degraded=intent.note)
    return answer_words.reply(
        _answer(intent),
        exit_code=2 if intent.refuses else 0,
        stderr=intent.words if intent.refuses else "",
        degraded=intent.note,
    )


def _answer(intent: Intent) -> dict[str, object]:
    answer: dict[str, object] = {}
    if intent.refuses:
        answer["decision"], answer["reason"] = "deny", intent.words
    elif intent.act is Act.ASK:
        answer["decision"], answer["reason"] = "ask", intent.words
    if intent.input is not None:
        answer["args"] = dict(intent.input)
    if intent.output is not None:
        answer["output"] = answer_words.as_text(intent.output)
    if intent.context:
        answer["context"] = intent.context
    return answer
