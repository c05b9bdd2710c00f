"""What is known about one program, as its file says it."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.model.value import Value, derived

TYPE_CHECKING = False  # what type checkers take for True; a hook call imports this module
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Kind = TypeVar("Kind", bound=Value)

_NONE: frozenset[str] = frozenset()


class Deed(Value):
    """What a program does when it is told `on`: a pattern such as `s3 rb`, `* delete-*`, `** delete`.

    `needs`: at least one of these options, or `option=value`, else it is harmless. `unless`: any of these
    makes it harmless, besides the options of a dry run.
    """

    on: str
    action: str
    way: str
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


ALSO: Mapping[str, str] = {
    "paths": "the files that it is given are looked at, too",
    "verbs": "it grows subcommands faster than a table: a verb that says loss asks, although none lists it",
    "secret-words": "words that make a program print secrets count",
    "packages": "it installs packages: addresses and sources that nobody knows count",
    "host": "it speaks to a code host or a build server: access and deployments count",
    "commands": "it passes commands on to that host",
    "charts": "it installs charts from repositories that it is told",
    "statements": "one of its words may be a statement for a database",
    "sql": "it is a client of a database: files that its statements name count",
    "tasks": "its tasks are named by the project: a name that says loss counts",
    "manifests": "it applies manifests to a cluster, and what it is fed counts",
    "named-files": "its effects name every file that it makes",
    "anywhere": "it is called by the same name in PowerShell",
    "no-outputs": "`-o` and the like do not name a file that it makes",
    "shows-input": "it prints what it is fed",
    "no-dry-run": "it has no dry run: what means one elsewhere makes it no more harmless",
    "heedless": "it acts on one word after the other: only help that is asked for first is harmless",
    "settled": "all that it does is read elsewhere: its words are not judged as those of an unknown program",
    "launched": "it is often started by the task runner of a project, by its bare name",
    "launches": "it starts programs of the project by their bare names: `yarn prisma …`",
    "goals": "it is told goals, and some of them empty a database: `mvn flyway:clean`",
}
"""What else is asked about each command of a program, besides what its record says."""


ONLY: Mapping[str, str] = {
    "moves": "it changes the folder of the shell, which the reader follows, and nothing else",
    "steers": "it ends, repeats or tests something inside the shell, and does nothing outside of it",
}
"""What a command of the shell's own is for, where it has no effect by itself."""


OPERANDS: Mapping[str, str] = {
    "text": "text, numbers or names: never files",
    "uses": "files that it uses or tells of, and does not show",
    "reads": "files that it reads, each of them",
    "script": "a pattern or a program first, unless an option gives it",
    "searches": "files in which it looks for that pattern",
    "makes": "the last one is the file that it makes, where there are two or more",
    "changes": "files that it changes, each of them",
    "replaces": "files that are there afterwards, while what was in them is not",
    "edits": "a structured file, which it changes where one of its words says so",
}
"""What the words of a command are that are no options."""


PLACES = ("chroot", "container", "device", "dyno", "machine", "namespace", "pod", "ssh")
"""Where a command may run that another program runs, if not here."""
EVERY_OPERAND = 99


class Runs(Value):
    """How a program runs another one: where in its words the command stands.

    `on`: the subcommands that do so; none where the program itself does. `values`: options that take a
    value, those before the command. `operands`: how many operands stand before the command; `"all"` where the
    command is never an operand. `assignments`: `NAME=value` may stand before the command, as with `env`.
    `after_dashes`: the command starts behind `--`, where there is one. `rest_after`: options behind which the
    rest is the command.

    `text`: options whose value is a line for a shell. `by_shell`: the operands are joined to such a line.
    `program`: options whose value is the program, and the operands are its arguments. `package`: the first
    operand names a package and with it the program, as `nixpkgs#tool` does. `named`: the subcommand itself is
    the name of the program that runs.

    `unless`: options with which nothing is run. `shell`: options that start a shell when there is no command;
    `"*"` stands for always. `folder`: options that say in which folder it runs. `place`: one of `PLACES`,
    which the last operand before the command names, where it does not run here. `itself`: the program does
    something of its own, besides. `builtin`: the shell runs the command, so that functions count.
    """

    on: tuple[str, ...] = ()
    values: frozenset[str] = _NONE
    operands: int = 0
    assignments: bool = False
    after_dashes: bool = False
    rest_after: frozenset[str] = _NONE
    text: frozenset[str] = _NONE
    by_shell: bool = False
    program: frozenset[str] = _NONE
    package: bool = False
    named: bool = False
    unless: frozenset[str] = _NONE
    shell: frozenset[str] = _NONE
    folder: frozenset[str] = _NONE
    place: str = ""
    itself: bool = False
    builtin: bool = False
    valued: frozenset[str] = derived(lambda runs: runs.values | runs.text | runs.folder)
    """All options that take a value."""
    options: frozenset[str] = derived(
        lambda runs: runs.valued | runs.rest_after | runs.program | runs.unless | runs.shell
    )
    """All options that the record names."""


class Interprets(Value):
    """How a program is given code in a language: `any` where none of ours fits, `shell` for a shell.

    `code`: options whose value is code. `values`: options with another value. `module`: options behind which
    the name of a module stands instead of code. `subcommands`: words behind which code stands. `sources`: its
    operands are files of code, none of which it reads from its input. `joined`: how the name of a script
    ends, for a program that takes all words behind its options as one text.
    """

    language: str
    code: frozenset[str] = _NONE
    values: frozenset[str] = _NONE
    module: frozenset[str] = _NONE
    subcommands: frozenset[str] = _NONE
    sources: bool = False
    joined: str = ""


SHELL = "shell"
"""The language of shells, which are read by us."""


class Fetches(Value):
    """How a program brings files off the network.

    `on`: the subcommands that do; any, if there are none. `outputs`: options that name the file. `folders`:
    options that name the folder for it. `named`: options that name what is fetched. `tree`: it brings a
    folder. `trees`: the subcommands that do.
    """

    on: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    tree: bool = False
    trees: tuple[str, ...] = ()


class Loads(Value):
    """Which files a program runs, or does what they say.

    `files`: those that it looks for without being told. `recipes`: such files with commands or code in them.
    `options`: options that name a file. `recipe_options`: options that name another recipe. `given`: `"any"`
    where every file that it is given is run or installed, `"archives"` where archives of packages are.
    `folders`: options that say in which folder it looks and works. `values`: other options that take a value.
    `options_first`: behind its first operand, nothing is an option of its own. `when`: words without any of
    which it runs nothing of the project's; one that ends in `*` is the beginning of such a word.
    """

    files: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    recipe_options: tuple[str, ...] = ()
    given: str = ""
    folders: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    options_first: bool = False
    when: tuple[str, ...] = ()


GIVEN = ("any", "archives")

FOLLOWING_KEYS = ("runner", "finder", "shell_text", "escapes")
"""Ways besides `runs` in which a program is followed. `runner`: a function of ours that runs what it runs.
`finder`: one that finds text for a shell in its words or its input. `shell_text`: options whose value it
gives to a shell. `escapes`: options in whose value `!command` and the like leave to a shell; `stdin` stands
for its input, which is always read so."""


class Program(Value):
    """`values` are options whose value is the next word; `single_dash` says that long options have one dash.

    `code` names a function for what the words of a record cannot say; `also` holds words of `ALSO`, and
    `only` is one of `ONLY`; `operands` holds those of `OPERANDS`. `sql` are the options of a client of a
    database whose value is a statement; `outputs` those that name a file which it makes, besides the usual
    ones; `shows` those that name a file which it shows, whatever it does with its operands; `helpers` those
    that name a program or a library which it runs in passing; `changing` are patterns of words, and without
    one of them it changes no file. `open_options` says that options which the record does not name may take
    a value, too.
    """

    name: str
    family: str
    does: tuple[Deed, ...] = ()
    values: frozenset[str] = _NONE
    single_dash: bool = False
    code: str = ""
    also: frozenset[str] = _NONE
    only: str = ""
    sql: tuple[str, ...] = ()
    operands: frozenset[str] = _NONE
    outputs: frozenset[str] = _NONE
    shows: frozenset[str] = _NONE
    helpers: frozenset[str] = _NONE
    changing: tuple[str, ...] = ()
    open_options: bool = False
    known: bool = derived(
        lambda program: bool(program.does or program.code or program.sql or "settled" in program.also)
    )
    """Whether it is read by its record: by what it does, by code, or because there is nothing to read."""
    mark: int = derived(lambda program: hash((program.name, program.family)))

    def __hash__(self) -> int:
        return self.mark  # asked for at every command


UNLISTED = Program("", "")
"""A program of which nothing is known."""

Literal = Mapping[str, object]
"""A value as a compiled module holds it: nothing but constants."""


def value_from(kind: type[Kind], literal: Literal) -> Kind:
    fields: dict[str, Any] = dict(literal)
    for key, default in kind._defaults.items():
        if key in fields and isinstance(default, frozenset):
            fields[key] = frozenset(fields[key])
    return kind(**fields)


def program_from(name: str, family: str, literal: Literal) -> Program:
    fields: dict[str, Any] = dict(literal)
    fields["does"] = tuple(Deed(*deed) for deed in fields.get("does", ()))
    for key in ("values", "also", "operands", "outputs", "shows", "helpers"):
        fields[key] = frozenset(fields.get(key, ()))
    return Program(name, family, **fields)
