"""From what people decided to the lines that would spare them the question, with the evidence for each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fairlead.doors.cli.learning.command_patterns import (
    Words,
    common_patterns,
    exact_pattern,
    fits,
    learnable_words,
)
from fairlead.doors.cli.learning.decided_calls import DecidedCall
from fairlead.model.digest import sha256_hex
from fairlead.model.value import Value
from fairlead.policy.answers.grants import Grant
from fairlead.secrets.redact import redact_text

TIMES = 3
SESSIONS = 2
"""How often, and in how many sessions, a person must have said yes before it is taken for a habit."""
APPROVE, EXCEPTION = "approve", "exception"
_EXAMPLES = 5
_CHECKED = 60
"""How many of each kind are looked at closely: those with the most calls."""
_DEFAULT_RULE = "policy/default_decision"


class Proposal(Value):
    """One line of a policy, or one exception. `pattern` is what it covers, `why_not` says why it is none."""

    kind: str
    pattern: str
    rule: str
    root: str
    agent: str
    cwd: str
    yes: tuple[DecidedCall, ...]
    why_not: str = ""

    @property
    def id(self) -> str:
        """The same as long as it would say the same."""
        said = [self.kind, self.pattern, self.rule, self.root, self.agent, self.cwd]
        return sha256_hex(json.dumps(said).encode("utf-8", "surrogatepass"))[:8]

    @property
    def line(self) -> str:
        """What a person could write or run to the same end."""
        if self.kind == APPROVE:
            return f"approve: [{json.dumps(self.item, ensure_ascii=False)}]"
        command = f"fairlead allow {self.rule} --in {_quoted(self.cwd)} --agent {self.agent}"
        return f"{command} --command {_quoted(self.pattern)}"

    @property
    def item(self) -> str | dict[str, str]:
        """As it stands in a list; what was seen in one project alone counts in that one."""
        return {"command": self.pattern, "in": self.root} if self.root else self.pattern

    @property
    def grant(self) -> Grant:
        return Grant("", self.rule, self.root, agent=self.agent, command=self.pattern, cwd=self.cwd)

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "kind": self.kind,
            "line": self.line,
            "pattern": self.pattern,
            "rule": self.rule,
            "project": self.root,
            "agent": self.agent,
            "evidence": evidence_of(self.yes),
        }


def evidence_of(yes: Sequence[DecidedCall]) -> dict[str, object]:
    """How often, where, since when, how it is known, and the calls themselves by their ids."""
    return {
        "times": len(yes),
        "sessions": len({call.session for call in yes}),
        "projects": sorted({call.root for call in yes}),
        "since": min(call.ts for call in yes),
        "last": max(call.ts for call in yes),
        "known_by": dict(Counter(str(call.how) for call in yes)),
        "calls": [call.id for call in sorted(yes, key=lambda call: call.ts)[-_EXAMPLES:]],
    }


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


Doubt = Callable[[Proposal], str]
"""Why something must not be proposed; nothing if it may."""


def proposals_from(calls: Iterable[DecidedCall], doubt: Doubt) -> tuple[list[Proposal], list[Proposal]]:
    """Those to offer, the most useful first, and those that are not."""
    decided = [call for call in calls if call.said_yes is not None]
    checked = [*_approvals(decided, doubt), *_exceptions(decided, doubt)]
    offered = [one for one in checked if not one.why_not]
    return sorted(offered, key=lambda one: -len(one.yes)), [one for one in checked if one.why_not]


def _checked(one: Proposal, doubt: Doubt) -> Proposal:
    texts = (one.pattern, one.root, one.cwd, one.agent)
    if not all(text.isprintable() for text in texts):
        return one.replace(why_not="it holds characters that cannot be shown")
    if redact_text(one.pattern) != one.pattern:
        return one.replace(why_not="it holds what may be a secret")
    return one.replace(why_not=doubt(one))


def _approvals(calls: Sequence[DecidedCall], doubt: Doubt) -> Iterator[Proposal]:
    """For what no rule objects to, and a person was asked all the same: one pattern for each habit."""
    spoken: dict[Words, list[DecidedCall]] = {}
    for call in calls:
        if call.rule in ("", _DEFAULT_RULE) and (words := learnable_words(call.command, call.cwd)):
            spoken.setdefault(words, []).append(call)
    by_program: dict[str, list[Words]] = {}
    for words in spoken:
        by_program.setdefault(words[0], []).append(words)
    covered: set[Words] = set()
    for pattern, kinds in _candidates(spoken):
        if covered.issuperset(kinds):
            continue
        fitting = [words for words in by_program[kinds[0][0]] if fits(pattern, words)]
        said = [call for words in fitting for call in spoken[words]]
        if not _is_habit(said):
            continue
        root = _one([call.root for call in said])
        checked = _checked(Proposal(APPROVE, pattern, "", root, "", "", tuple(said)), doubt)
        yield checked
        covered |= set() if checked.why_not else set(fitting)


def _candidates(spoken: Mapping[Words, Sequence[DecidedCall]]) -> list[tuple[str, list[Words]]]:
    """Wider patterns before the commands that they are made of, those with the most calls first."""

    def calls(candidate: tuple[str, list[Words]]) -> list[DecidedCall]:
        return [call for words in candidate[1] for call in spoken[words]]

    wider = list(common_patterns(spoken))
    exact = [(exact_pattern(words), [words]) for words in spoken]
    habits = ([one for one in some if _is_habit(calls(one))] for some in (wider, exact))
    most = (sorted(some, key=lambda one: -len(calls(one)))[:_CHECKED] for some in habits)
    return [one for some in most for one in some]


def _exceptions(calls: Sequence[DecidedCall], doubt: Doubt) -> Iterator[Proposal]:
    """For what a rule asked about or refused, and a person let through: for that command alone."""
    groups: dict[tuple[str, str, str, str, str], list[DecidedCall]] = {}
    for call in calls:
        if call.exact is not None and call.rule not in ("", _DEFAULT_RULE):
            groups.setdefault((call.rule, call.root, call.agent, *call.exact), []).append(call)
    habits = [(bound, said) for bound, said in groups.items() if _is_habit(said)]
    for (rule, root, agent, command, cwd), said in sorted(habits, key=lambda one: -len(one[1]))[:_CHECKED]:
        yield _checked(Proposal(EXCEPTION, command, rule, root, agent, cwd, tuple(said)), doubt)


def _is_habit(calls: Sequence[DecidedCall]) -> bool:
    """Always yes, often enough, and not only on one day's work."""
    yes = [call for call in calls if call.said_yes]
    return len(yes) == len(calls) >= TIMES and len({call.session for call in yes}) >= SESSIONS


def _one(roots: Sequence[str]) -> str:
    """The project, where it is always the same one."""
    return roots[0] if len(set(roots)) == 1 else ""


def annoying_rules(calls: Iterable[DecidedCall]) -> list[Mapping[str, object]]:
    """Rules that asked again and again, and never got a no."""
    by_rule: dict[str, list[DecidedCall]] = {}
    for call in calls:
        if call.rule and call.said_yes is not None:
            by_rule.setdefault(call.rule, []).append(call)
    found = [(rule, said) for rule, said in by_rule.items() if _is_habit(said)]
    return [
        {"rule": rule, **evidence_of(said)} for rule, said in sorted(found, key=lambda each: -len(each[1]))
    ]
