from __future__ import annotations

from collections.abc import Callable

from fairlead.policy.layering.review import what_would_run
from fairlead.policy.layering.trust import Trust, read_project, trust
from fairlead.policy.places import Places
from fairlead.policy.reload import Watch


def test_a_review_shows_code_and_what_it_pins(
    places: Places, root: str, write: Callable[..., str], builtin_names: frozenset[str]
) -> None:
    folder = f"{root}/.fairlead"
    write(
        folder,
        """\
        event: PreToolUse
        middleware:
          - {id: own, type: safety, path: own.py}
          - {id: far, type: safety, url: "https://guard.example"}
          - {id: log-operations, type: observability}
        default_decision: ask
        """,
    )
    write(folder, "def process(*a): ...", file="own.py")
    review = what_would_run(root, builtin_names)
    assert [(entry.id, entry.runs) for entry in review.code] == [("own", "python"), ("far", "http")]
    assert sorted(review.files) == ["hooks/one/hook.meta.yaml", "hooks/one/own.py"]
    assert len(review.defaults) == 1
    assert review.problems == ()
    trust(places, root, reviewed=review.files)
    assert read_project(places, root, Watch()).trust is Trust.TRUSTED
