"""Keys that stand in a file that is committed, for everybody who can read it."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.packs.judging.content import is_likely_only, is_test_file
from fairlead.packs.rule import Severity
from fairlead.scan.finding import Finding
from fairlead.scan.unit import SourceText
from fairlead.secrets.detect import find_secrets


def key_findings(source: SourceText, inside: str, *, strict: bool) -> Iterator[Finding]:
    """What only its surroundings make a secret, and what stands in a test, counts where it is strict."""
    for found in find_secrets(source.text):
        if strict or not (is_likely_only(found) or is_test_file(source.path)):
            yield Finding(
                inside,
                source.text.count("\n", 0, found.start) + 1,
                "secrets/key-in-content",
                Severity.HIGH,
                f"A secret ({found.kind}) stands in the file, for everybody who can read it.",
                "Take it back where it was given out, and read the new one from the environment.",
            )
