"""The page about the command line, as click knows it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fairlead.doors.cli.command_table import GROUPS
from fairlead.doors.cli.main import fairlead
from handbook.markdown import block, code, table

HEAD = """# Commands

Every command of `fairlead`, with its options and examples. `fairlead COMMAND --help` prints the same in your terminal.

`--home DIR`, before the command, keeps everything that Fairlead writes under DIR.

## Exit codes

| code | `hook`, `check`, `run` | other commands |
| --- | --- | --- |
| 0 | no objection, or approved | done |
| 1 | | failed, with a reason |
| 2 | block or halt | |
| 3 | ask (`check` only; `hook` puts the question in the agent's own words) | |
| 64 | wrong usage | wrong usage |
| 130 | interrupted with Ctrl-C | interrupted with Ctrl-C |

Some commands add meanings of their own; their text below says which. `fairlead run` hands on what a script's hook asked for: [its exit code](../scripts.md#the-exit-code-of-fairlead-run).
"""


def commands_page() -> str:
    context = click.Context(fairlead, info_name="fairlead", terminal_width=80)
    return HEAD + "".join(_groups(context))


def _groups(context: click.Context) -> Iterator[str]:
    for title, commands in GROUPS.items():
        yield f"\n## {title}\n"
        for name in commands:
            command = fairlead.get_command(context, name)
            assert command is not None
            yield from _command(command, name, context, "###")


def _command(command: click.Command, name: str, parent: click.Context, heading: str) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent, terminal_width=80)
    yield f"\n{heading} {context.command_path}\n\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield block(usage, "text")
    yield from _paragraphs(command.help or command.short_help or "")
    yield from _options(command, context)
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found is not None and not found.hidden:
                yield from _command(found, child, context, "####")


def _paragraphs(text: str) -> Iterator[str]:
    """Help as prose; what click must not wrap (examples, tables) as a block."""
    for paragraph in text.strip().split("\n\n"):
        lines = [line.rstrip() for line in paragraph.splitlines()]
        if lines[0].strip() == "\b":
            title, shown = lines[1].strip(), lines[2:]
            yield f"\n{title}\n\n" if title.endswith(":") else ""
            yield block("\n".join(_dedented(shown if title.endswith(":") else lines[1:])))
        else:
            yield f"\n{' '.join(line.strip() for line in lines)}\n"


def _dedented(lines: list[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[margin:] for line in lines]


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    records = [param.get_help_record(context) for param in command.params if isinstance(param, click.Option)]
    rows = [(code(names), " ".join(meaning.split())) for names, meaning in filter(None, records)]
    if rows:
        yield "\n" + table(("option", "meaning"), rows)
