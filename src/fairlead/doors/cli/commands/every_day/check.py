"""`fairlead check`: what would become of a call, and why, without an agent."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

import click

from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.given.folders import FOLDER
from fairlead.doors.cli.given.recorded import SESSION
from fairlead.doors.cli.output import Session, note, painted, say_lines, show_json
from fairlead.doors.cli.policies.approval import show_approval
from fairlead.doors.cli.presentation.evidence import underlined
from fairlead.doors.cli.presentation.screen import screen_width
from fairlead.doors.cli.presentation.words import shown_decision
from fairlead.doors.cli.presentation.wrapping import paragraph
from fairlead.doors.cli.recorded.session_memory import agents_of
from fairlead.doors.hook.root import git_root
from fairlead.doors.hook.systems import Systems
from fairlead.doors.mcp.calls import McpCall
from fairlead.doors.mcp.events import Around, event_before
from fairlead.errors import UsageError
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import AUDIT, ENFORCE, Outcome
from fairlead.model.tool_call import ToolCall, ToolKind, call_named, mcp_parts
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.pack_table import is_rule
from fairlead.policy.managed.rules import ALLOW, Managed
from fairlead.policy.off import Off, read_off
from fairlead.policy.reading.schema import suggestion

EXIT_CODES = {Decision.HALT: 2, Decision.BLOCK: 2, Decision.ASK: 3}

_MAIN_ARGUMENTS = {
    "Bash": ("command", ToolKind.SHELL),
    "Read": ("file_path", ToolKind.READ),
    "Write": ("file_path", ToolKind.WRITE),
    "Edit": ("file_path", ToolKind.EDIT),
    "NotebookEdit": ("notebook_path", ToolKind.NOTEBOOK),
    "Grep": ("path", ToolKind.SEARCH),
    "Glob": ("path", ToolKind.LIST),
    "WebFetch": ("url", ToolKind.FETCH),
}


class _Check(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """A command without quotes is many words to us, and the shell has already read them."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.possibilities or given[0].startswith("-"):
                raise
            raise UsageError(error.format_message(), hint=_QUOTED) from error
        except click.UsageError as error:
            if not error.message.startswith("Got unexpected extra argument"):
                raise
            raise UsageError("COMMAND is one argument", hint=_QUOTED) from error


_QUOTED = "put the whole command in quotes: fairlead check 'rm -rf build'"


@click.command(name="check", cls=_Check)
@click.argument("text", metavar="COMMAND")
@click.option(
    "--cwd", type=FOLDER, metavar="DIR", help="Where the call would run; the current folder if not given."
)
@click.option("--tool", default="Bash", show_default=True, help="The tool that would be used.")
@click.option(
    "--agent", type=AGENT, default="", help="The agent whose policy applies; generic, if not given."
)
@click.option(
    "--session",
    "within",
    type=SESSION,
    default="",
    metavar="ID",
    help="Judge it as the next call of a session.",
)
@click.option("--policy", "policies", type=FOLDER, metavar="DIR", multiple=True, help="Add a policy root.")
@click.option("--approve", "approval", is_flag=True, help="Say what keeps it from being approved.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.pass_obj
def command(
    session: Session,
    *,
    text: str,
    cwd: str | None,
    tool: str,
    agent: str,
    within: str,
    policies: tuple[str, ...],
    approval: bool,
    as_json: bool,
) -> int:
    """Judge COMMAND as an agent's shell call. Nothing is run and nothing is recorded.

    With --tool, COMMAND is the main argument of that tool (a path, an address), or its whole input as a JSON
    object. Exit code 0: no objection, 2: block, 3: ask; with --approve 0: approved, 1: not.

    \b
    Examples:
      fairlead check 'cd / && rm -rf *'
      fairlead check --tool Read .env
      fairlead check --approve 'git add -A && npm test'
      fairlead check --session 3f2a… ./install.sh
      fairlead check --tool mcp__files__resources/read file:///home/me/.ssh/id_rsa
      fairlead check --tool Write '{"file_path": "a.txt", "content": "hello"}' --json
    """
    directory = os.path.abspath(cwd or os.getcwd())
    agent = agent or next(agents_of(session.places, within), "generic")
    event = _event(tool, text, Around(agent, within or "check", directory, git_root(directory)))
    systems = Systems(session.places, extra_policies=policies)
    compiled = systems.compiled(event.root, agent)
    verdict = compiled.fire(event, environment=dict(os.environ))
    if approval:
        shown = show_approval(text, event, verdict, compiled, systems.memories, as_json=as_json)
        systems.close()
        return shown
    systems.close()
    for problem in compiled.problems:
        note(str(problem))
    if as_json:
        show_json(verdict_json(verdict))
    else:
        _show(text, verdict, read_off(session.places), compiled.policy.managed)
    return EXIT_CODES.get(verdict.decision, 0)


def _event(tool: str, text: str, around: Around) -> Event:
    server, method = mcp_parts(tool)
    if method in ("resources/read", "prompts/get"):
        given: Mapping[str, object] = {}
        if text.lstrip().startswith("{"):
            given = _tool_call(tool, text).input
        name = str(given.get("uri", given.get("name", text)))
        arguments = given.get("arguments")
        told: Mapping[str, object] = arguments if isinstance(arguments, Mapping) else {}
        event = event_before(McpCall(server, method, name, told, {}, 0), around, "")
        assert event is not None
        return event
    return Event(
        EventName.BEFORE_TOOL,
        native_name="PreToolUse",
        agent=around.agent,
        session=around.session,
        root=around.root,
        cwd=around.cwd,
        tool=_tool_call(tool, text),
    )


def _tool_call(name: str, text: str) -> ToolCall:
    if text.lstrip().startswith("{") and name != "Bash":
        try:
            tool_input = json.loads(text)
        except ValueError as error:
            raise UsageError(f"the input of {name} is not JSON: {error}") from error
        return call_named(name, tool_input)
    if name not in _MAIN_ARGUMENTS:
        hint = suggestion(name, _MAIN_ARGUMENTS, otherwise="give its input as JSON: '{\"path\": ...}'")
        raise UsageError(f"the main argument of {name!r} is not known", hint=hint)
    key, kind = _MAIN_ARGUMENTS[name]
    extra: Mapping[str, object] = {"content": ""} if name == "Write" else {}
    if name == "Edit":
        extra = {"old_string": "", "new_string": ""}
    return call_named(name, {key: text, **extra}, kind=kind)


def verdict_json(verdict: Verdict) -> dict[str, object]:
    return {
        "decision": verdict.decision.word,
        "reason": verdict.reason,
        "hook": verdict.hook,
        "rule": verdict.rule,
        "evidence": [
            {"text": each.text, "start": each.start, "end": each.end, "detail": each.detail}
            for each in verdict.evidence
        ],
        "alternative": verdict.alternative,
        "mode": AUDIT if verdict.would else ENFORCE,
        "would": _would_json(verdict.would),
        "updated_input": verdict.updated_input,
        "outcomes": [
            {
                "hook": each.hook,
                "type": str(each.type),
                "decision": each.decision.word,
                "reason": each.reason,
                "rule": each.rule,
                "ms": round(each.milliseconds, 3),
                "failure": each.failure.as_json() if each.failure else None,
            }
            for each in verdict.outcomes
        ],
        "ms": round(verdict.milliseconds, 3),
    }


def _would_json(would: Outcome | None) -> dict[str, object] | None:
    """What a hook in audit would have said."""
    if would is None:
        return None
    said = {"decision": would.decision.word, "reason": would.reason, "hook": would.hook, "rule": would.rule}
    return {**said, "evidence": [{"text": each.text, "detail": each.detail} for each in would.evidence]}


def _show(text: str, verdict: Verdict, off: Off | None, managed: Managed) -> None:
    """What was asked with the part that is meant, what that is, why, and what to do instead."""
    word = f"{shown_decision(verdict.decision):<{len(_INDENT) - 1}}"
    head, *more = paragraph(" ".join(text.split("\n")), first=_INDENT)
    say_lines([f"{painted(verdict.decision, word)} {head.removeprefix(_INDENT)}", *more])
    say_lines(_part_lines(text, verdict, repeated=bool(more) or "\n" in text))
    told = [*_reasons(verdict), *_way_out(verdict, managed), *_why_it_passes(verdict, off)]
    say_lines(line for part in told for line in paragraph(part, first=_INDENT))


_INDENT = " " * 8


def _part_lines(text: str, verdict: Verdict, *, repeated: bool) -> Iterator[str]:
    """Each piece of evidence below the command: the marks alone where that stands on one line right above."""
    room = screen_width() - len(_INDENT) if screen_width() else 0
    for number, piece in enumerate(verdict.evidence if verdict.decision.objects else ()):
        at = (None, None) if piece.source not in ("", text) else (piece.start, piece.end)
        source = piece.source or text
        marked = underlined(source, piece.text, start=at[0], end=at[1], width=room)
        if marked and (number or repeated or source != text or marked[0] != text):
            yield f"{_INDENT}{marked[0]}"
        if marked:
            yield f"{_INDENT}{marked[1]}"
        said = piece.detail if marked else " ".join(filter(None, (f"`{piece.text}`", piece.detail)))
        yield from paragraph(said, first=_INDENT) if said.strip("` ") else ()


def _reasons(verdict: Verdict) -> Iterator[str]:
    if verdict.would is not None:
        yield f"audit: it would have been {verdict.would.decision.word}"
        yield f"{verdict.would.reason}  [{verdict.would.rule or verdict.would.hook}]"
    if verdict.decision.objects:
        yield f"{verdict.reason}  [{verdict.rule or verdict.hook}]"
    if verdict.decision.objects and verdict.alternative:
        yield f"instead: {verdict.alternative}"


def _way_out(verdict: Verdict, managed: Managed) -> Iterator[str]:
    """The command that excepts this once; none for what nobody can except, or nobody here may."""
    if not verdict.decision.objects or not is_rule(verdict.rule):
        return
    if managed.forbids(ALLOW) or managed.covers_exception(verdict.rule):
        yield f"nobody here may except this: {', '.join(managed.paths)} says so"
    else:
        yield f"once: fairlead allow {verdict.rule} --once"


def _why_it_passes(verdict: Verdict, off: Off | None) -> Iterator[str]:
    """What lets a call pass that would be stopped otherwise."""
    if off is not None:
        yield f"but Fairlead is off {off.words()}: the agent is told nothing of this; `fairlead on` ends that"
    excused = (outcome.metrics.get("excused") for outcome in verdict.outcomes)
    named = (str(rule).partition("\0")[0] for one in excused if isinstance(one, list) for rule in one)
    rules = dict.fromkeys(named)
    for rule in rules:
        yield f"excepted from {rule}; `fairlead allow --list` shows by which exception"
