"""Whose records a sink sends, for those receivers that keep it apart from the records."""

from __future__ import annotations

from fairlead.model.value import Value


class Origin(Value):
    """`user` is a pseudonym; what is empty is not said."""

    host: str = ""
    user: str = ""
    group: str = ""
    machine: str = ""
