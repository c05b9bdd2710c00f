"""A policy that names one-time codes, as files of a home, and a clock that a test sets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from fairlead.fleet.glass.answer_keys import AnswerKeys
from fairlead.policy.glass.answered import answered_glass
from fairlead.policy.glass.challenges import Challenge
from fairlead.policy.glass.codes import SALT, Entry, entry_of, new_code, secret_of
from fairlead.policy.glass.marker import Clock, broken_glass, signed_marker
from fairlead.policy.glass.spoken import sign
from fairlead.policy.places import Places

START = Clock("5ad14f3e-0c5e-4f0b-a7b2-3f1ce6b02a11", 5_000, 1_790_000_000)
_OF_TODAY = '"at": 0, "until": 4e9, "expires": 4e9, "asks": 0, "group": "web", "version": 1'


def name_codes(fleet: str | Path, entries: Sequence[Entry], more: str = "") -> Path:
    """Puts `managed.yaml` where a bundle would be in force, with what a bundle forbids."""
    folder = Path(fleet)
    path = folder / "bundles" / ("0" * 64) / "hooks" / "managed.yaml"
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True)
        (folder / "current").symlink_to(f"bundles/{'0' * 64}")
        age = folder / "freshness.json"
        age.write_text(f'{{"{"0" * 64}": {{{_OF_TODAY}}}}}')
        age.chmod(0o644)
    lines = "".join(f"    - {entry.text}\n" for entry in entries)
    codes = f"break_glass:\n{more}  codes:\n{lines}" if lines else ""
    path.write_text(f"forbid: [off]\n{codes}")
    path.chmod(0o644)
    return path


def code_in_force(fleet: str | Path, *, machine: str = "", more: str = "") -> tuple[str, Entry]:
    code = new_code()
    entry = entry_of(code, os.urandom(SALT), machine)
    name_codes(fleet, [entry], more)
    return code, entry


def marker_of(code: str, entry: Entry, clock: Clock, *, seconds: int = 600) -> str:
    glass = broken_glass(entry, seconds=seconds, record="01K0000000000000000000000", clock=clock)
    return signed_marker(glass, secret_of(code, entry.salt))


def answer_keys_in_force(fleet: str | Path, keys: AnswerKeys, *, number: int = 1) -> list[Entry]:
    entries = [keys.entry(place) for place in range(number)]
    path = name_codes(fleet, [])
    lines = "".join(f"    - {entry.text}\n" for entry in entries)
    path.write_text(f"forbid: [off]\nbreak_glass:\n  answers:\n{lines}")
    return entries


def challenge_at(clock: Clock, *, minutes: int = 10, **more: object) -> Challenge:
    said = Challenge("m1", "web", 7, "tester", minutes, os.getuid(), clock.boot, clock.running, "ab" * 16)
    return said.replace(**more)


def answered_marker(keys: AnswerKeys, clock: Clock, *, place: int = 0, **more: object) -> str:
    challenge = challenge_at(clock, **more)
    entry = keys.entry(place)
    signature = sign(challenge.asked.message(), keys.secret(place), entry.salt)
    now = {"running": clock.running, "wall": clock.wall}
    return answered_glass(entry, challenge, signature, record="01K0000000000000000000000", **now).text()


def put_marker(places: Places, text: str) -> None:
    path = Path(places.off_marker)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)
