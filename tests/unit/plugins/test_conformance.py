"""The checks for authors of plugins pass what is right, and name what is wrong."""

import json
import threading

import pytest

from fairlead.dialects.agent_registry import AGENTS, dialect_named
from fairlead.entry_points import load
from fairlead.errors import FairleadError
from fairlead.model.decision import Decision
from fairlead.model.hook import Capture, Outcome, Run
from fairlead.model.verdict import Reply
from fairlead.packs.judging.pack_table import all_packs
from fairlead.plugins import SentCall
from fairlead.testing import (
    MemorySink,
    check_dialect,
    check_executor,
    check_middleware,
    check_pack,
    check_sink,
    hook,
    shell_event,
)
from tests.plugin_kit import plugins

__all__ = ["plugins"]

CALL = json.dumps({"tool": "Bash", "arguments": {"command": "ls"}, "when": "before"}).encode()
DONE = json.dumps({"tool": "Bash", "arguments": {"command": "ls"}, "when": "after", "answer": "x"}).encode()
RECORDED = {"before": [CALL], "after": [DONE]}


def acme_dialect(**changes):
    """The dialect of the package, with some of its methods replaced."""
    return type("Changed", (type(load("dialects", "acme")),), changes)()


def test_the_whole_package_passes(plugins, tmp_path):
    check_dialect(load("dialects", "acme"), RECORDED)
    check_pack(load("packs", "acme-deploys"))
    check_sink(load("sinks", "acme-file"), str(tmp_path / "out"), [{"event": "BeforeTool"}])
    check_middleware(load("middleware", "acme-hours"), [shell_event("ls")], {"tools": ["Bash"]})
    gone = hook(print, id="gone").replace(run=Run("plugin:acme-text", str(tmp_path / "gone")))
    check_executor(load("executors", "acme-text"), [gone], shell_event("ls"))


@pytest.mark.parametrize("pack", all_packs(), ids=lambda pack: pack.id)
def test_the_rules_of_our_own_packs_would_pass_but_for_their_name(pack):
    with pytest.raises(AssertionError) as caught:
        check_pack(pack)
    assert f"there is a built-in pack {pack.id!r}" in str(caught.value)


def silent(self, event, verdict):
    return Reply(0, b"", b"")


def ask_as_yes(self, event, verdict):
    word = {Decision.ASK: b"yes", Decision.APPROVE: b"yes", Decision.BLOCK: b"no why-block"}
    return Reply(0, word.get(verdict.decision, b"no" if verdict.decision.objects else b""), b"")


def allow_as_yes(self, event, verdict):
    word = {Decision.ALLOW: b"yes", Decision.APPROVE: b"yes"}.get(verdict.decision, b"")
    return Reply(0, word or (b"why-block" if verdict.decision.objects else b""), b"")


def without_reason(self, event, verdict):
    return Reply(2 if verdict.decision.objects else 0, b"", b"")


def raising(self, *given, **named):
    raise KeyError("x")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"render": silent}, "block is said as if nobody had objected"),
        ({"render": ask_as_yes}, "ask is said as if nobody had objected"),
        ({"render": allow_as_yes}, "only approve may approve"),
        ({"render": without_reason}, "does not say its reason"),
        ({"render": raising}, "render broke at"),
        ({"render": lambda self, event, verdict: b""}, "render gave no Reply"),
        ({"decode": raising}, "a recorded payload is not read: KeyError"),
        ({"decode": lambda self, raw, **named: {}}, "decode gave no Event"),
        ({"last_resort": raising}, "the last resort broke"),
        ({"last_resort": lambda self, native: Reply(0, b"", b"")}, "lets pass what it should deny"),
        ({"last_resort": lambda self, native: Reply(2, b"", b"")}, "is not the neutral answer"),
    ],
)
def test_a_dialect_that_breaks_a_law_is_told_which(plugins, changes, words):
    with pytest.raises(AssertionError, match=words):
        check_dialect(acme_dialect(**changes), RECORDED)


def test_rubbish_must_be_refused_by_name(plugins):
    inner = load("dialects", "acme")

    def decode(self, raw, *, native_event, environment):
        json.loads(raw)
        return inner.decode(raw, native_event=native_event, environment=environment)

    with pytest.raises(AssertionError, match="not PayloadError"):
        check_dialect(acme_dialect(decode=decode), RECORDED)


def test_recorded_payloads_have_to_have_a_gate(plugins):
    with pytest.raises(AssertionError, match="no recorded payload is a tool call"):
        check_dialect(load("dialects", "acme"), {"after": [DONE]})


ACME_SHELL = SentCall("Bash", {"command": "<command>"}, {"tool": "<tool>", "arguments": "<input>"})


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([ACME_SHELL.replace(tools="Run")], "none of the calls is like the recorded one of Bash"),
        ([ACME_SHELL, ACME_SHELL.replace(input={"words": "<command>"})], "carries <command> is not read"),
        ([ACME_SHELL, ACME_SHELL.replace(tools="<server>.<name>")], "the tool of a server, and is read as"),
        ([ACME_SHELL, ACME_SHELL.replace(payload={"arguments": "<input>"})], "it is not read: "),
    ],
    ids=["unlike", "field", "server", "payload"],
)
def test_what_the_calls_of_an_agent_carry_has_to_be_read(plugins, calls, words):
    dialect = load("dialects", "acme")
    check_dialect(dialect, RECORDED, [ACME_SHELL])
    with pytest.raises(AssertionError, match=words):
        check_dialect(dialect, RECORDED, calls)


CLAUDE = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}


@pytest.mark.parametrize("agent", ["claude", "codex", "qwen", "factory", "generic"])
def test_dialects_of_ours_pass(agent):
    assert agent in AGENTS
    check_dialect(dialect_named(agent), {"PreToolUse": [json.dumps(CLAUDE).encode()]})


def changed_rule(**changes):
    pack = load("packs", "acme-deploys")
    return pack.replace(rules=(pack.rules[0].replace(**changes),))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dangerous": ("rm notes.txt",)}, "does not stop 'rm notes.txt'"),
        ({"harmless": ("rm RELEASES.md",)}, "it stops 'rm RELEASES.md'"),
        ({"harmless": ("rm -rf /",)}, "'rm -rf /' is stopped by filesystem/"),
        ({"alternative": "Say `rm RELEASES.md`"}, "calls harmless"),
        ({"dangerous": ()}, "it needs dangerous and harmless examples"),
        ({"person": ""}, "person is empty"),
        ({"reason": "{nonsense}"}, "KeyError"),
        ({"when": lambda effect, scene: 1 / 0}, "ZeroDivisionError"),
        ({"id": "git/x"}, "does not begin with 'acme-deploys/'"),
        ({"decision": Decision.ALLOW}, "objects to nothing"),
    ],
)
def test_a_pack_whose_examples_do_not_hold_is_told_which(plugins, changes, words):
    with pytest.raises(AssertionError, match=words):
        check_pack(changed_rule(**changes))


class Executor:
    def __init__(self, run):
        self.run = lambda *given: run()


def test_an_executor_raises_nothing_gives_a_capture_and_ends_in_time():
    some = hook(print, id="some", timeout=0.01)
    check_executor(lambda: Executor(Capture), [some], shell_event("ls"))
    with pytest.raises(AssertionError, match="some: it raised ZeroDivisionError"):
        check_executor(lambda: Executor(lambda: 1 / 0), [some], shell_event("ls"))
    with pytest.raises(AssertionError, match="no Capture but a int"):
        check_executor(lambda: Executor(lambda: 1), [some], shell_event("ls"))
    released = threading.Event()
    with pytest.raises(AssertionError, match="did not end within its timeout"):
        check_executor(lambda: Executor(released.wait), [some], shell_event("ls"))
    released.set()


class Changing(MemorySink):
    def write(self, record):
        record["seen"] = True


class Picky(MemorySink):
    def write(self, record):
        return record["verdict"]["decision"]


class Away(MemorySink):
    def write(self, record):
        raise FairleadError("nobody is there")


def test_a_sink_takes_every_record_and_changes_none():
    check_sink(lambda target: MemorySink(), "", [{"event": "x"}])
    check_sink(lambda target: Away(), "", [])
    with pytest.raises(AssertionError, match="changed the record"):
        check_sink(lambda target: Changing(), "", [])
    with pytest.raises(AssertionError, match="raised KeyError"):
        check_sink(lambda target: Picky(), "", [])


def test_middleware_answers_an_outcome_or_nothing_and_says_why():
    check_middleware(lambda *given: None, [], {})
    for answer, words in (
        (lambda *given: {"decision": "block"}, "no Outcome but a dict"),
        (lambda *given: Outcome(Decision.BLOCK), "does not say why"),
        (lambda event, *rest: event.tool.name, "AttributeError"),
    ):
        with pytest.raises(AssertionError, match=words):
            check_middleware(answer, [shell_event("ls")], {})
