"""What the client knows without Python: `key=value` lines in a file beside it.

The file names the interpreter that judges, so whoever can write it has won in any case; that is why it may
say what else has to be believed. `sealed` is the digest of the file of the passphrase, once there is one;
`off` is then the off-marker that the passphrase was given for, in one line.
"""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.digest import sha256_hex
from fairlead.policy.places import Places, read_own, write_private

LIMIT = 16384
"""Bytes of it that the clients read."""


def read_record(places: Places) -> dict[str, str]:
    """Empty where there is none, or none that we could have written."""
    text = (read_own(places.record, LIMIT) or b"").decode("utf-8", "surrogateescape")
    record: dict[str, str] = {}
    for line in text.split("\n"):
        key, there, value = line.partition("=")
        if there:
            record.setdefault(key, value)  # of two lines the clients take the first
    return record


def change_record(places: Places, changes: Mapping[str, str | None]) -> None:
    """Sets these keys, or takes them out where the value is None; every other one stays."""
    before = read_record(places)
    after = {key: value for key, value in {**before, **changes}.items() if value is not None}
    if after != before:
        text = "".join(f"{key}={value}\n" for key, value in after.items())
        write_private(places.record, text.encode("utf-8", "surrogateescape"))


def seal(places: Places) -> None:
    """From now on nothing but this passphrase counts. One that is there stays: nobody may take it over."""
    kept = read_own(places.passphrase, LIMIT)
    if kept is not None and "sealed" not in read_record(places):
        change_record(places, {"sealed": sha256_hex(kept)})


def break_seal(places: Places) -> None:
    """For a new passphrase, once the old one was given."""
    change_record(places, {"sealed": None})
