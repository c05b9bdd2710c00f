"""One agent, started for real: does it run what is harmless, and leave what Fairlead refuses?"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

from fairlead.dialects.setup.installs import INSTALLS
from fairlead.doors.cli.checkup.finding import Finding, bad, unproved
from fairlead.doors.cli.installation.installing import client_of, site_of
from fairlead.doors.cli.live.agents import RECIPES, environment_for
from fairlead.doors.cli.live.played_model import PlayedModel
from fairlead.doors.cli.live.recipes.recipe import Recipe
from fairlead.doors.cli.live.stage import Stage, set_up
from fairlead.doors.cli.output import Session
from fairlead.doors.hook.canaries import Canary, noted
from fairlead.errors import FairleadError
from fairlead.journal.cursor import Cursor
from fairlead.journal.line import Record
from fairlead.model.value import Value
from fairlead.platforms import here

SECONDS = 90.0
"""How long an agent may take for both calls."""
_GRACE = 10.0
_LINES = 100_000
_ID = "live"
_HARMLESS, _FORBIDDEN = "harmless-ran", "forbidden-ran"


class Evidence(Value):
    """What was seen: on the disk, by the model, in the journal."""

    asked: int
    results: tuple[str, ...]
    harmless_ran: bool
    forbidden_ran: bool
    rule: str
    """Of the refusal that the journal has; empty when it has none."""
    last_words: str


def try_live(session: Session, agent: str) -> Iterator[Finding]:
    """A harmless and a forbidden call made by the agent itself."""
    only = "tried through the installed command only"
    recipe = RECIPES.get(agent)
    if recipe is None:
        yield unproved(_ID, f"{only}: how to run it without a terminal and its own model is not known")
        return
    program = next((found for name in INSTALLS[agent].programs if (found := shutil.which(name))), None)
    if program is None:
        yield unproved(_ID, f"{only}: `{INSTALLS[agent].programs[0]}` is not on the path")
        return
    try:
        seen = _seen(session, agent, recipe, program)
    except (OSError, ValueError, FairleadError) as error:
        yield unproved(_ID, f"{only}: it could not be set up: {error}")
        return
    yield from findings(agent, seen)


def findings(agent: str, seen: Evidence) -> Iterator[Finding]:
    """A call that the agent itself did not get to make says nothing about its hooks."""
    only = "tried through the installed command only"
    fix = f"look for a mistake anywhere in the settings of {agent}, and for what switches its hooks off"
    if seen.forbidden_ran:
        yield bad(_ID, f"{agent} itself ran a forbidden call: its hooks are not in force", fix=fix)
        return
    if len(seen.results) < 2:
        word = "asked its model for nothing" if not seen.asked else f"stopped after {len(seen.results)} calls"
        yield unproved(_ID, f"{only}: {agent} {word} ({seen.last_words or 'without a word'})")
        return
    if seen.harmless_ran:
        yield Finding(_ID, f"{agent} itself: a harmless call runs")
    else:
        yield bad(
            _ID,
            f"{agent} itself did not run a harmless call: {_short(seen.results[0])}",
            fix="fairlead explain --last --canaries",
        )
    yield _refused(agent, seen, fix)


def _refused(agent: str, seen: Evidence, fix: str) -> Finding:
    told = _short(seen.results[1])
    if not seen.rule:
        what = f"{agent} itself did not run a forbidden call, but the journal knows nothing of it: {told}"
        return bad(_ID, what, fix=fix)
    if seen.rule not in seen.results[1]:
        what = f"{agent} itself: a forbidden call is refused, but the model was not told why: {told}"
        why = "a version that was never tried may read answers otherwise"
        return bad(_ID, what, why=why, fix=f"fairlead doctor {agent} --verbose")
    return Finding(
        _ID, f"{agent} itself: a forbidden call is refused, the model is told why, and it is on record"
    )


def _seen(session: Session, agent: str, recipe: Recipe, program: str) -> Evidence:
    with noted(session.places) as canary:
        return _watched(session, agent, recipe, program, canary)


def _watched(session: Session, agent: str, recipe: Recipe, program: str, canary: Canary) -> Evidence:
    base = os.path.join(os.path.realpath(tempfile.gettempdir()), canary.name)
    os.mkdir(base, 0o700)
    try:
        with PlayedModel(_commands(base), recipe.shells, recipe.service) as model:
            stage = Stage(base, model.url)
            canary.covers(stage.project)
            set_up(
                stage,
                agent,
                site=site_of("user"),
                client=client_of(session),
                keeps=recipe.keeps,
                settings=recipe.settings(stage),
            )
            cursor = Cursor(os.path.join(base, "read"), os.path.join(session.places.state, "journal"))
            cursor.skip_all()
            last_words = _run([program, *recipe.words(stage)], environment_for(recipe, stage), stage, model)
            records = cursor.read(_LINES)
        return Evidence(
            model.asked,
            model.results,
            os.path.exists(os.path.join(base, _HARMLESS)),
            os.path.exists(os.path.join(base, _FORBIDDEN)),
            _refusal(records, base),
            last_words,
        )
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _commands(base: str) -> list[str]:
    """The forbidden one would do no harm either: it touches a file, opens an empty folder to everyone, and
    pushes from there, where no repository is. Two reasons to refuse it: a person may have allowed one."""
    folder = os.path.join(base, "open-to-all")
    os.mkdir(folder, 0o700)
    return [
        f"touch {os.path.join(base, _HARMLESS)}",
        f"touch {os.path.join(base, _FORBIDDEN)}; chmod -R 777 {folder}; git -C {folder} push --force",
    ]


def _run(words: list[str], environment: dict[str, str], stage: Stage, model: PlayedModel) -> str:
    """The last line that the agent printed. It is ended when the model has seen all, or the time is up."""
    path = os.path.join(stage.base, "output")
    with open(path, "wb") as output:
        process = subprocess.Popen(
            words,
            cwd=stage.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait(process, model)
        finally:
            _end(process)
    with open(path, "rb") as file:
        lines = file.read().decode(errors="replace").split("\n")
    return next((_short(line) for line in reversed(lines) if line.strip()), "")


def _wait(process: subprocess.Popen[bytes], model: PlayedModel) -> None:
    until = monotonic() + SECONDS
    while process.poll() is None and not model.done.wait(0.1) and monotonic() < until:
        pass
    if model.done.is_set():
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        here.signal_group(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(3)


def _refusal(records: list[Record], base: str) -> str:
    """The rule that refused a call in the throw-away folder."""
    for record in records:
        verdict = record.get("verdict")
        if not isinstance(verdict, dict) or verdict.get("decision") not in ("block", "halt"):
            continue
        if base in json.dumps(record):
            return str(verdict.get("rule", ""))
    return ""


def _short(text: str) -> str:
    return " ".join(text.split())[:200]
