"""One thing that a recipe runs."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.failure import NOTHING
from fairlead.model.value import Value


class Step(Value):
    """`text` is for a shell, unless `language` names another one; what is unknown in it stands as marks.

    `via`: what runs it, for people. `folder`: where it runs, if not in the project's. `variables`: what it
    finds in its environment besides. `arguments`: its `$1` and so on. `place`: where it runs, if not on this
    machine. `path` and `line`: where it stands.
    """

    text: str
    via: str
    language: str = ""
    folder: str = ""
    variables: Mapping[str, str] = NOTHING  # type: ignore[assignment]  # an empty mapping of any kind
    arguments: tuple[str, ...] = ()
    place: str = ""
    path: str = ""
    line: int = 0
