"""What only shows when hooks are made of entries: names that wait for each other, settings that a guard
would refuse, programs that cannot be compiled, examples that a rule does not keep. Nothing of it runs."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.dialects.payloads.payload_layout import TOOL_EVENTS
from fairlead.doors.cli.policies.rule_examples import examples_that_fail
from fairlead.entry_points import find
from fairlead.errors import PluginError, PolicyError
from fairlead.model.hook import STRICT, Hook
from fairlead.packs.guards.never_matching import never_matching
from fairlead.packs.judging.guard_settings import read_settings
from fairlead.policy.find import read_file
from fairlead.policy.policy import Policy
from fairlead.policy.reading.document import MAX_BYTES
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.matcher_doubts import matcher_doubts
from fairlead.policy.reading.problem import WARNING, Problem
from fairlead.policy.reading.python_files import flaw_in_file
from fairlead.policy.reading.schema import RULE

_GUARDS = frozenset(("block-dangerous-commands", "protect-sensitive-files"))


def faults_when_built(policy: Policy, hooks: Iterable[Hook], root: str) -> Iterable[Problem]:
    """What only shows when hooks are made of entries: names that wait for each other, built-ins that fail."""
    for entry, hook in zip(policy.entries, hooks, strict=True):
        if hook.broken is not None and entry.broken is None:
            yield entry.problem("id", hook.broken.message, hint="mend the entry")
        if entry.builtin in _GUARDS:
            yield from _found_in_settings(entry)
        yield from found_in_matcher(entry)
        yield from _found_in_plugins(entry)
        yield from _found_in_python(entry)
        if entry.builtin == RULE and not hook.broken and entry.enabled:
            yield from examples_that_fail(entry, root)


def _found_in_settings(entry: Entry) -> Iterable[Problem]:
    """What a guard would refuse, and patterns that no call could ever match."""
    try:
        read_settings(entry.config)
    except PolicyError as error:
        yield entry.problem("config", error.message, hint=error.hint)
    for sentence in never_matching(entry.config):
        yield entry.problem("config", sentence, severity=WARNING)


def found_in_matcher(entry: Entry) -> Iterable[Problem]:
    """A matcher that is right as a matcher, and fits nothing."""
    if entry.matcher is None or entry.profile != STRICT or entry.event not in TOOL_EVENTS:
        return
    from fairlead.dialects.tool_names import known_tools

    for doubt in matcher_doubts(entry.matcher, known_tools()):
        yield entry.problem("matcher", doubt.message, hint=doubt.hint, severity=doubt.severity)


def _found_in_plugins(entry: Entry) -> Iterable[Problem]:
    """One that is not installed, or made for another version. Nothing of it is imported."""
    for kind, name in entry.plugins:
        try:
            find(kind, name)
        except PluginError as error:
            key = {"middleware": "plugin", "executors": "executor"}.get(kind, "config")
            yield entry.problem(key, error.message, hint=error.hint)


def _found_in_python(entry: Entry) -> Iterable[Problem]:
    """A file that cannot be compiled, or has nothing to call. Nothing of it runs."""
    if entry.runs != "python" or entry.broken:
        return
    try:
        source = entry.source if entry.source is not None else read_file(entry.path, MAX_BYTES)
    except OSError as error:
        yield entry.problem("path", f"{entry.path} cannot be read: {error.strerror}", hint="mend it")
        return
    flaw = flaw_in_file(source, entry.path)
    if flaw is not None:
        hint = "def process(hook_input, config, previous_results): ..."
        yield Problem(entry.path, flaw[0], 1, flaw[1], hint)
