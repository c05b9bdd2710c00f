"""What tells the two apart."""

from __future__ import annotations

from fairlead.model.value import Value


class Profile(Value):
    """G and L share their ancestry; each flag is a place where they went different ways."""

    name: str
    parses_whatever_the_exit_code: bool
    """JSON counts beside any exit code, and is looked for on stderr when stdout is empty."""
    keeps_scalars: bool
    """A number or a word that is valid JSON is an output, not nothing."""
    silent_two_blocks: bool
    """Exit code 2 blocks even when nothing was said."""
    knows_ask: bool
    reads_permission_decision: bool
    only_true_suppresses: bool
    a_failed_hook_fails_the_batch: bool
    selections_intersect: bool
    spreads_anything: bool
    """A rewrite that is no object is merged all the same, as JavaScript spreads it."""
    rebuilds_contents: bool
    """A changed conversation loses everything that is not text."""
    wants_parts: bool
    """After the model, a response with an empty list of parts is none."""


GEMINI = Profile(
    "gemini",
    parses_whatever_the_exit_code=True,
    keeps_scalars=False,
    silent_two_blocks=False,
    knows_ask=True,
    reads_permission_decision=False,
    only_true_suppresses=False,
    a_failed_hook_fails_the_batch=False,
    selections_intersect=False,
    spreads_anything=True,
    rebuilds_contents=False,
    wants_parts=True,
)
LLXPRT = Profile(
    "llxprt",
    parses_whatever_the_exit_code=False,
    keeps_scalars=True,
    silent_two_blocks=True,
    knows_ask=False,
    reads_permission_decision=True,
    only_true_suppresses=True,
    a_failed_hook_fails_the_batch=True,
    selections_intersect=True,
    spreads_anything=False,
    rebuilds_contents=True,
    wants_parts=False,
)
PROFILES = {profile.name: profile for profile in (GEMINI, LLXPRT)}
