"""The line that an agent runs: it refuses by itself when the client is gone.

Most agents take "command not found" for a hook that broke, and run the tool. So where a shell runs the line,
the line looks for the client first, and says the agent's own deny without it. It is written without braces
and assignments, which not every shell has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairlead.dialects.agent_registry import dialect_named, setup_of
from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import GATING, event_named
from fairlead.model.facts import quoted
from fairlead.model.verdict import Reply, Verdict

Quote = Callable[[str], str]


def command_line(words: Sequence[str], agent: str, event: str, *, told: str = "") -> str:
    """What stands in the settings for this event; `told` as below."""
    starter = setup_of(agent).started_by
    if starter not in ("shell", "login shell"):
        return " ".join(quoted(word) for word in words)
    if starter == "login shell":
        return f"/bin/sh -c {quoted(guarded_line(words, agent, event, quote=in_double_quotes, told=told))}"
    return guarded_line(words, agent, event, told=told)


def guarded_line(
    words: Sequence[str], agent: str, event: str, *, quote: Quote = quoted, told: str = ""
) -> str:
    """For a shell: the client, or the answer without it, which for an event that only informs is no opinion;
    `told` is the reason of a refusal, if another than usual.

    An empty file is no client: a shell would run it as a script that has nothing to say.
    """
    program = quote(words[0])
    command = " ".join(quote(word) for word in words)
    otherwise = _said(_answer(told or missing(words[0]), agent, event), quote)
    return f"[ -s {program} ] && [ -x {program} ] && exec {command}; {otherwise}"


def _answer(reason: str, agent: str, event: str) -> Reply:
    name = event_named(event)
    refused = Verdict(Decision.BLOCK, reason, gating=True)
    reply = dialect_named(agent).render(Event(name, event, agent), refused if name in GATING else Verdict())
    plain = reply.exit_code == 2 and reply.stderr and not setup_of(agent).reason_by_json
    return Reply(2, b"", reply.stderr) if plain else Reply(reply.exit_code, reply.stdout)


def missing(program: str) -> str:
    return (
        f"its program {program} is missing. A person can run `fairlead install` (after `pipx install "
        "fairlead`, if that is gone too), or remove the fairlead-hook entries from the settings. After an "
        "uninstall, start the agent anew."
    )


def _said(reply: Reply, quote: Quote) -> str:
    """By printf: `echo` reads backslashes in some shells."""
    form = quote("%s\\n")
    parts = [f"printf {form} {quote(reply.stdout.decode().rstrip())}"] if reply.stdout else []
    parts += [f"printf {form} {quote(reply.stderr.decode().rstrip())} >&2"] if reply.stderr else []
    return "; ".join([*parts, f"exit {reply.exit_code}"])


def in_double_quotes(word: str) -> str:
    """A word without single quotes, so that the whole line can stand between two of them in any shell."""
    for special in ("\\", '"', "$", "`"):
        word = word.replace(special, f"\\{special}")
    return f'"{word}"'
