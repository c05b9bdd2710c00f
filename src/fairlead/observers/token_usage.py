"""`track-token-usage`: what a session has used so far, read from the agent's own transcript."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from fairlead.errors import FairleadError
from fairlead.model.event import Event
from fairlead.model.hook import Outcome
from fairlead.observers.report import failed, seen
from fairlead.store.ledger import read_usage


def track_token_usage(
    event: Event, config: Mapping[str, object], previous: Sequence[Outcome], /
) -> Outcome | None:
    """Config: `state_dir`. The metrics are totals of the session; `behind` is what is still to be read."""
    if not event.transcript_path or event.canary:
        return None  # what a played model uses is on nobody's account
    state_dir = str(config.get("state_dir") or "")
    day = time.strftime("%Y-%m-%d")
    try:
        ledger = read_usage(event.transcript_path, state_dir=state_dir, day=day)
    except FairleadError as error:
        return failed(error.message, {})
    except OSError as error:
        return failed(f"{event.transcript_path}: {error.strerror or error}", {})
    return seen(f"{ledger.usage.total} tokens so far", ledger.usage.metrics() | {"behind": ledger.behind})
