"""Runs what the files of a project tell a runner to run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fairlead.shell.expansion.reading import Call, Feed, Frame, Reading
from fairlead.shell.expansion.source_files import FileText
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import of_word
from fairlead.shell.following.line_files.script_files import add_code
from fairlead.shell.following.loaded_files.loading_programs import loads_files
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.readers import steps_of
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.programs.running import LOADS, loads_of
from fairlead.shell.script import Command, Word, Wrapper, program_name

_RECIPE_IN_WORDS = ("--eval", "-E")
_MOST_STEPS = 400
"""Things that one run of a runner may run."""


def run_recipes(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> None:
    """What a runner runs by its recipes, and what any program runs of the files that it loads. What runs
    elsewhere sees other files."""
    told = frame.feed.text is not None or _brings_its_own(words)
    elsewhere = state.cwd is None or any(wrapper.place for wrapper in frame.wrappers)
    if not told and (elsewhere or not (run.sources.are_read or state.files)):
        return  # no file is known
    name = program_name(words[0].text)
    recipes = name not in LOADS or _may_run(loads_of(name).when, words)
    if not recipes and not loads_files(name):
        return
    key = (state.cwd or "", *(word.text for word in words))
    if key in run.recipes:  # it runs itself again: there is nothing new in it
        return
    run.recipes.append(key)
    try:
        project = Project(run, words, state, frame, run.span(call.start, call.end, frame))
        for name, value in call.assignments.items():
            project.state.assign(name, of_word(value))
            project.state.export(name)
        for step in islice(_steps(project, recipes=recipes), _MOST_STEPS):
            run.budget.spend()
            _run_step(run, step, project, call, frame)
    finally:
        run.recipes.pop()


def _steps(project: Project, *, recipes: bool) -> Iterator[Step]:
    if recipes:
        yield from steps_of(project)
    if loads_files(project.name):
        from fairlead.shell.following.loaded_files.read_loaded import loaded_steps  # brings its formats

        yield from loaded_steps(project)


def _brings_its_own(words: list[Word]) -> bool:
    """`make --eval=…` is told its recipe by a word."""
    return any(word.text.startswith(_RECIPE_IN_WORDS) for word in words)


def _may_run(when: tuple[str, ...], words: list[Word]) -> bool:
    """Whether one of these words is there: nearly all calls of some programs have nothing to do with files of
    the project."""
    if not when:
        return True
    for word in words:
        if word.text in when or word.opaque:
            return True
    return any(word.text.startswith(each[:-1]) for each in when if each[-1] == "*" for word in words)


def _run_step(run: Reading, step: Step, project: Project, call: Call, frame: Frame) -> None:
    before = run.sources.standing
    if not isinstance(step.text, FileText):  # a whole file says itself where it stands
        run.sources.stand(project.standing_at(step.path, step.line))
    try:
        _run_there(run, step, project, call, frame)
    finally:
        run.sources.stand(before)


def _run_there(run: Reading, step: Step, project: Project, call: Call, frame: Frame) -> None:
    child = project.state.copy()
    child.cwd = step.folder or child.cwd
    for name, value in step.variables.items():
        child.assign(name, run.as_value(value))
        child.export(name)
    inner = frame.inside(step.via, span=run.span(call.start, call.end, frame))
    inner.want = False
    if frame.feed.kind != "inherit":
        inner.feed = Feed(frame.feed.kind, "")
    if step.place:
        wrapper = Wrapper(project.name, tuple(project.words), step.place)
        inner = inner.through(wrapper, external=False)
        child.cwd, child.files = None, {}
    if step.language:
        _note_code(run, step, project, child, inner)
        return
    child.set_positional([run.as_value(each) for each in step.arguments])
    run.run_text(step.text, child, inner)


def _note_code(run: Reading, step: Step, project: Project, state: State, frame: Frame) -> None:
    start, end = frame.span or (0, 0)
    command = Command(
        tuple(project.words), state.cwd, wrappers=frame.wrappers, start=start, end=end, via=frame.via,
        origin=run.sources.origin,
    )  # fmt: skip
    add_code(run, step.language, run.as_value(step.text), command)
