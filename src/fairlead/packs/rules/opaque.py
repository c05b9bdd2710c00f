"""What cannot be known before it runs, and how much of it each level lets through."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.rule import Level, Pack, Rule, Severity
from fairlead.shell.effects.effect import Action

_UNKNOWN = (Action.RUN_UNKNOWN_CODE,)

PACK = Pack(
    id="opaque",
    summary="Code and parts of commands that cannot be known before they run",
    rules=(
        Rule(
            id="opaque/unreadable",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_UNKNOWN,
            names=frozenset(("unreadable",)),
            reason="The command cannot be read: {detail}.",
            person="The guard could not read the whole command.",
            alternative="Split it into smaller commands.",
            dangerous=(),
            harmless=("make test",),
        ),
        Rule(
            id="opaque/paranoid",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=_UNKNOWN,
            reason="A part of the command cannot be known before it runs: {detail}.",
            person="The guard could not tell what a part of the command is.",
            alternative="Write the value itself instead of a variable or a substitution.",
            dangerous=(),
            harmless=("make test",),
            level=Level.PARANOID,
        ),
        Rule(
            id="opaque/executed-code",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_UNKNOWN,
            names=frozenset(("executed", "ssh-option", "in-passing")),
            reason="It would run code that cannot be known before it runs: {detail}.",
            person="Code would run that nobody can see beforehand.",
            alternative="Write it to a file, read it, then run it: `cat script.sh`.",
            dangerous=('eval "$CODE"', 'bash -c "$(cat script.txt)"', "base64 -d blob | sh"),
            harmless=(
                "cat setup.sh | bash",
                "source <(stern --completion bash)",
                'eval "$(ssh-agent -s)"',
                "source <(kubectl completion bash)",
                "bash script.sh",
                '"$BIN" run "$ARG"',
            ),
        ),
        Rule(
            id="opaque/unread-file",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            always=True,
            actions=_UNKNOWN,
            names=frozenset(("unread-file",)),
            reason="It would run {what}, which came from this session and cannot be read first: {detail}.",
            person="A file that the agent wrote or fetched would run, and nobody can read it beforehand.",
            alternative="Say what the file is for, and let the person run it.",
            dangerous=(),
            harmless=("make test",),
        ),
        Rule(
            id="opaque/unknown-part",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=_UNKNOWN,
            reason="A part of the command cannot be known before it runs: {detail}.",
            person="The guard could not tell what a part of the command is.",
            alternative="Write the value itself instead of a variable or a substitution.",
            dangerous=(),
            harmless=("make test",),
            level=Level.STRICT,
        ),
    ),
)
