"""`fairlead programs`: what is known about programs, and files that teach more."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.given.programs import FAMILY, PROGRAM, TAUGHT
from fairlead.doors.cli.output import Session, note, say, say_lines, show_json, tell
from fairlead.doors.cli.policies.program_examples import examples_that_fail
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.doors.hook.root import git_root
from fairlead.errors import UsageError
from fairlead.packs.judging.pack_table import rules_about
from fairlead.policy.reading.schema import suggestion
from fairlead.shell.programs.checks import missing_examples
from fairlead.shell.programs.compiled.index import FAMILY_OF
from fairlead.shell.programs.compiler import names_of, read_families
from fairlead.shell.programs.effect_words import EFFECT_GROUPS, effect_word
from fairlead.shell.programs.record import Deed
from fairlead.shell.programs.source import Problem, Source, place_of
from fairlead.shell.programs.taught import TaughtFile, read_taught, teach


@click.group()
def command() -> None:
    """Look at what is known about programs, and check what you teach about yours.

    \b
    Examples:
      fairlead programs show kubectl
      fairlead programs check .fairlead/programs/fooctl.toml
    """


@command.command(name="list")
@click.argument("family", required=False, type=FAMILY)
@click.option("--json", "as_json", is_flag=True, help="Print the programs as JSON.")
@click.pass_obj
def list_(session: Session, family: str | None, *, as_json: bool) -> int:
    """Show the families of programs, or the programs of one FAMILY; `taught` are those of your policy.

    \b
    Examples:
      fairlead programs list
      fairlead programs list kubernetes
    """
    names = {one.path.stem: _names(one.programs) for one in read_families()}
    names[TAUGHT] = sorted(name for _, source in _taught(session) for name in names_of(source))
    if family is not None and family not in names:
        raise UsageError(
            f"there is no family {family!r}", hint=suggestion(family, names, otherwise=_FAMILIES)
        )
    if as_json:
        show_json(names if family is None else names[family])
    elif family is None:
        rows = [
            (name, str(len(known)), f"{' '.join(known[:6])}{' …' if len(known) > 6 else ''}")
            for name, known in names.items()
        ]
        say_lines(table((Column("FAMILY"), Column("KNOWN", right=True), Column("SUCH AS", prose=True)), rows))
    else:
        for program in names[family]:
            say(program)
    return 0


_FAMILIES = "`fairlead programs list` shows them"


@command.command()
@click.argument("name", type=PROGRAM)
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.pass_obj
def show(session: Session, name: str, *, as_json: bool) -> int:
    """Show what is known about the program NAME: what it does, with examples.

    \b
    Example:
      fairlead programs show kubectl
    """
    shipped = [(one.path.name, source) for one in read_families() for source in one.programs]
    found = [(file, source) for file, source in (*shipped, *_taught(session)) if name in names_of(source)]
    if not found:
        start = f"`fairlead programs new {name}` prints the beginning of a record"
        known = (name for _, source in (*shipped, *_taught(session)) for name in names_of(source))
        hint = suggestion(name, known, otherwise=start)
        raise UsageError(f"nothing is listed about {name!r}: its words are read by what they say", hint=hint)
    if as_json:
        show_json([_source_json(file, source) for file, source in found])
        return 0
    for file, source in found:
        _show(file, source)
    return 0


@command.command()
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the problems as JSON.")
def check(file: str, *, as_json: bool) -> int:
    """Check FILE: every mistake with its line and column, and whether its examples do what they say.

    \b
    Example:
      fairlead programs check .fairlead/programs/fooctl.toml
    """
    content = Path(file).read_bytes()
    sources, problems = read_taught(content)
    lines = content.decode("utf-8", "replace").split("\n")
    for source in sources:
        for text, near in missing_examples(source):
            problems.append(Problem(*place_of(lines, source.name, near), f"{source.name}: {text}", _EXAMPLES))
    programs = teach([TaughtFile(file, content, trusted=True)]).programs
    root = git_root(os.getcwd()) or os.getcwd()
    for source, line, what in examples_that_fail(sources, programs, root):
        hint = "mend the record or the example"
        problems.append(Problem(*place_of(lines, source.name, line), f"{source.name}: {what}: {line}", hint))
    if as_json:
        show_json([{"line": p.line, "column": p.column, "text": p.text, "hint": p.hint} for p in problems])
    else:
        for problem in sorted(problems, key=lambda each: (each.line, each.column)):
            note(f"{file}:{problem.line}:{problem.column}: {problem.text}")
            if problem.hint:
                note(f"  hint: {problem.hint}")
        if not problems:
            note(f"{file}: nothing to mend, {len(sources)} program{'' if len(sources) == 1 else 's'}")
    return 1 if problems else 0


_EXAMPLES = 'add stops = ["…"] and passes = ["…"]: they are tests'


@command.command()
@click.argument("name")
@click.pass_obj
def new(session: Session, name: str) -> int:
    """Print the beginning of a record for the program NAME, and where it belongs.

    \b
    Example:
      fairlead programs new fooctl > .fairlead/programs/fooctl.toml
    """
    if not re.fullmatch(r"[\w.+@-]{1,64}", name):
        raise UsageError(f"{name!r} is no name of a program")
    if name in FAMILY_OF:
        note(f"{name} is listed already: what you write is added to that; `fairlead programs show {name}`")
    key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'
    say(_BEGINNING.format(key=key, name=name))
    note(f"for you: {os.path.join(session.places.config, 'programs', f'{name}.toml')}")
    note(f"for a project: .fairlead/programs/{name}.toml")
    note("make the folder if there is none; then: fairlead programs check FILE")
    return 0


_BEGINNING = """[{key}]
does = [{{on = "delete cluster", effect = "cluster/delete-data"}}]
stops = ["{name} delete cluster prod"]
passes = ["{name} get clusters"]"""


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print the effects as JSON.")
def effects(*, as_json: bool) -> int:
    """Show the effects that a record may name, with the rule that speaks of each.

    \b
    Example:
      fairlead programs effects
    """
    known = {
        f"{word}/{way}": rules_about(group.action, way)
        for word, group in EFFECT_GROUPS.items()
        for way in sorted(group.ways)
    }
    if as_json:
        show_json({name: [rule.id for rule in rules] for name, rules in known.items()})
        return 0
    told = {name: ", ".join(f"{r.decision.word} {r.id}" for r in rules) for name, rules in known.items()}
    say_lines(fields(list(told.items()), indent=0))
    return 0


def _names(sources: tuple[Source, ...]) -> list[str]:
    return sorted(name for source in sources for name in names_of(source))


def _taught(session: Session) -> list[tuple[str, Source]]:
    from fairlead.assembly import policy_for

    policy = policy_for(session.places, git_root(os.getcwd()), "")
    return [(file.path, source) for file in policy.program_files for source in read_taught(file.content)[0]]


def _show(file: str, source: Source) -> None:
    tell(f"{' '.join(names_of(source))}    ({file})")
    rows = [(effect_word(deed.action, deed.way), _told(deed)) for deed in source.does]
    rows += [("and by code", source.code)] if source.code else []
    rows += [("also", word) for word in source.also]
    rows += [(key, line) for key in ("stops", "passes") for line in getattr(source, key)]
    say_lines(fields(rows, indent=4))


def _told(deed: Deed) -> str:
    parts = [deed.on or "(whatever it is told)"]
    parts += [f"with {' or '.join(deed.needs)}"] if deed.needs else []
    parts += [f"unless {' or '.join(deed.unless)}"] if deed.unless else []
    return ", ".join(parts)


def _source_json(file: str, source: Source) -> dict[str, object]:
    return {
        "file": file,
        "names": list(names_of(source)),
        "does": [
            {
                "on": deed.on,
                "effect": effect_word(deed.action, deed.way),
                "with": list(deed.needs),
                "unless": list(deed.unless),
            }
            for deed in source.does
        ],
        "code": source.code,
        "also": list(source.also),
        "stops": list(source.stops),
        "passes": list(source.passes),
    }
