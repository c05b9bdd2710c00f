"""What a user can set for the daemon: `name = number` lines in `daemon.conf` of the configuration folder."""

from __future__ import annotations

import os

from fairlead.model.value import Value

FILE = "daemon.conf"


class Settings(Value):
    """`problems` are the lines that make no sense; what they meant to set keeps its default."""

    idle_seconds: float = 1800.0
    workers: float = 128
    problems: tuple[str, ...] = ()


def read_settings(config: str) -> Settings:
    path = os.path.join(config, FILE)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read(64 * 1024).splitlines()
    except OSError:
        return Settings()
    settings = Settings()
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text:
            settings = _set(settings, text, f"{path}:{number}")
    return settings


def _set(settings: Settings, text: str, place: str) -> Settings:
    name, _, value = (part.strip() for part in text.partition("="))
    try:
        number = float(value)
        if name not in ("idle_seconds", "workers") or not 1 <= number <= 1e7:
            raise ValueError
    except ValueError:
        problem = (
            f"{place}: {text!r} is not understood; known: idle_seconds, workers, each with a number from 1"
        )
        return settings.replace(problems=(*settings.problems, problem))
    return settings.replace(**{name: number})
