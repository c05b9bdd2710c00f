"""The rules of the Acme company."""

from fairlead.plugins import Action, Decision, Pack, Rule, Severity

PACK = Pack(
    "acme-deploys",
    "What Acme does not delete.",
    (
        Rule(
            id="acme-deploys/release-notes",
            severity=Severity.MEDIUM,
            decision=Decision.BLOCK,
            actions=(Action.DELETE,),
            reason="`{what}` deletes {target}: Acme keeps its release notes.",
            person="The agent would delete release notes.",
            alternative="Add a note instead: `cat RELEASES.md`.",
            dangerous=("rm RELEASES.md", "cd docs && rm -f RELEASES.md"),
            harmless=("rm notes.txt", "cat RELEASES.md"),
            when=lambda effect, scene: effect.target is not None and "RELEASES.md" in effect.target.shown,
        ),
    ),
)
