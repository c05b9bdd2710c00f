"""What a script would do: each of its commands by the family of its program, then all of them together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.code.framework_consoles import console_effects
from fairlead.shell.effects.code.talking_code import left_for_visitors, talking, talking_files
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.git.scratch_repositories import DISCARDING, in_scratch_tree
from fairlead.shell.effects.machine.disguises import OVERLOOKED, overlooked
from fairlead.shell.effects.machine.hidden_tracks import by_setting
from fairlead.shell.effects.overlays.overlay_programs import lays_files
from fairlead.shell.effects.own.guard_packages import guard_packages
from fairlead.shell.effects.own.own_names import through_names_of_the_line, under_another_name
from fairlead.shell.effects.own.unguarded_agents import set_variables
from fairlead.shell.effects.program_effects import is_asked, reader_named, reader_of, shown
from fairlead.shell.effects.secret_material.secret_words import shows_secrets
from fairlead.shell.effects.together.failed_moves import where_a_move_failed
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.effects.together.printed_commands import printed_commands
from fairlead.shell.effects.together.renamed_files import through_new_names
from fairlead.shell.effects.together.supplied_targets import deleted_by_code, settled
from fairlead.shell.effects.together.whole_script import from_network, whole_effects
from fairlead.shell.effects.words.command_shapes import (
    EXPORTING,
    access,
    by_variables,
    commanded,
    deploying,
    joining,
    looks_up,
    sources,
    unchecked,
)
from fairlead.shell.effects.words.live_deployments import going_live
from fairlead.shell.effects.words.outward_acts import disarming, mining, outward, told_to_console
from fairlead.shell.effects.words.side_doors import loaded_by_options, loaded_by_variables
from fairlead.shell.effects.words.suspected_commands import DATA, suspected, typed_escape
from fairlead.shell.effects.words.unlisted_programs import (
    SPEAKING,
    Told,
    losing,
    losing_task,
    on_device,
    publishing,
    stated,
    unguarded,
)
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Code, Command, Origin, Script, Word
from fairlead.shell.word_sets import names


def effects_of(script: Script, where: Surroundings) -> Iterator[Effect]:
    """Everything that the script would do, in the order of its commands, then what it does as a whole."""
    commands = script.commands
    sources = Sources(script)
    single: list[Effect] = []
    for command in commands if len(commands) <= _FEW else _once(commands):
        found = _of_command(command, where)
        if command.cwd_else:
            found = [*found, *where_a_move_failed(found, script, where, _of_command)]
        for effect in found if command.origin is None else _out_of(command.origin, found):
            opaque = effect.target is not None and effect.target.word.opaque
            for each in settled(effect, script, sources, where) if opaque else (effect,):
                if each.action not in DISCARDING or not in_scratch_tree(each, script, where):
                    single.append(each)
    single = _with_laid(commands, single, sources, where)
    yield from single
    if len(commands) > 1:
        yield from through_new_names(single, where)
        yield from through_names_of_the_line(commands, where)
        yield from talking_files(commands)
    coded = _of_code(script, sources, where) if script.code else []
    yield from coded
    yield from whole_effects(script, sources, where)
    yield from guard_packages(script, where)
    if "fairlead" in script.text or where.installation.named:
        from fairlead.shell.effects.own.mentions import unfollowed_mentions  # hardly anybody speaks of us

        yield from unfollowed_mentions(script, [*single, *coded], where)
    for part in script.opaque:
        if part.executed:
            yield from printed_commands(script, where, effects_of)
            break


_FEW = 8


def _of_code(script: Script, sources: Sources, where: Surroundings) -> list[Effect]:
    from fairlead.shell.effects.code.code_effects import code_effects  # only where there is code to read

    found: list[Effect] = []
    for code in script.code:
        own = [from_network(effect, sources) for effect in code_effects(code, where, effects_of)]
        own += deleted_by_code(code, sources, where)
        found += own if code.origin is None else _out_of(code.origin, own)
    return found


def _out_of(origin: Origin, effects: list[Effect]) -> list[Effect]:
    """What a command or code out of a file does is the file's, also through commands that it makes."""
    return [
        effect
        if effect.command.origin is not None and _leads_through(effect.command.origin, origin.path)
        else effect.replace(command=effect.command.replace(origin=origin))
        for effect in effects
    ]


def _leads_through(origin: Origin, path: str) -> bool:
    return origin.path == path or (origin.by is not None and _leads_through(origin.by, path))


def _with_laid(
    commands: tuple[Command, ...], effects: list[Effect], sources: Sources, where: Surroundings
) -> list[Effect]:
    """And what trees and archives write, file by file."""
    if not any(lays_files(command, where.home) for command in commands):
        return effects
    from fairlead.shell.effects.overlays.laid import is_laid_into, laid_effects  # only for trees and archives

    laid = laid_effects(commands, effects, sources, where)
    return [*(effect for effect in effects if not is_laid_into(effect, where)), *laid]


def _once(commands: tuple[Command, ...]) -> Iterator[Command]:
    """A loop or a long script runs the same command many times: what it does is found once."""
    seen: set[object] = set()
    for command in commands:
        key = _same(command)
        if key is None or key not in seen:
            seen.add(key)
            yield command


def _same(command: Command) -> object:
    """What decides the effects of a command that nothing but its words decides; None for any other."""
    words = (*command.argv, *(redirect.target for redirect in command.redirects))
    if command.position or command.assignments or command.stdin.kind != "inherit":
        return None
    if not all(word.known for word in words):
        return None
    signs = tuple((redirect.operator, redirect.descriptor) for redirect in command.redirects)
    texts = tuple(word.text for word in words)
    file = command.origin and command.origin.path
    return command.cwd, command.cwd_else, command.via, command.wrappers, signs, texts, len(command.argv), file


_TYPED = ("!", ":", "\\")
_INIT_SCRIPTS = ("/etc/init.d/", "/etc/rc.d/")


def _init_script(command: Command) -> Iterator[Effect]:
    """`/etc/init.d/ssh stop`."""
    if any(word.text in ("stop", "disable") for word in command.argv[1:]):
        yield Effect(Action.CHANGE_SERVICE, "stop-vital", command, what=shown(command))


def _launched(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`yarn prisma …`: a program of the project by its bare name."""
    for index, word in enumerate(command.argv[1:4], start=1):
        program = word.text.rsplit("/", 1)[-1]
        if is_asked("launched", program):
            reader = reader_named(program)
            if reader is not None:
                yield from reader(command.replace(argv=command.argv[index:]), where)
            return
        if word.text not in ("run", "exec", "x", "dlx", "--", "-s", "--silent"):
            return


_BRINGS = names(
    "install add pin i exec x run tap source index plugin specific_install import get dlx fetch upgrade init "
    "create pull"
)


def _from_address(command: Command) -> Iterator[Effect]:
    """An installer that is given an address, in a way that its table does not know."""
    words = command.argv[1:]
    line = " ".join([word.text for word in words])
    if "://" not in line and "git+" not in line:
        return
    if not any("://" in word.text or word.text.startswith("git+") for word in words):
        return
    from fairlead.shell.effects.packages.package_sources import (
        is_foreign,  # only where it is given an address
    )

    brings = any(word.text in _BRINGS for word in words[:4])
    if brings and any(is_foreign(w.text) for w in words if not w.text.startswith(("-D", "-P"))):
        yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=shown(command))


def _operands(command: Command) -> tuple[Word, ...]:
    """Its words without options and what follows them: a chart's repository is an option's value."""
    kept = [
        word
        for before, word in pairwise(command.argv)
        if not word.text.startswith("-") and not before.text.startswith("-")
    ]
    return (command.argv[0], *kept)


_CHART_USES = names("install upgrade pull")
_BY_WORDS = names("verbs packages charts host commands secret-words sql tasks")


def _by_words(command: Command, also: frozenset[str]) -> Iterator[Effect]:
    """What a listed program is told, where its record says nothing of it."""
    told = Told(command)
    yield from going_live(told)
    if "packages" in also and not looks_up(told):
        yield from _from_address(command)
        yield from sources(told, listed=True)
    if "charts" in also:
        if any(word.text in _CHART_USES for word in command.argv[1:4]):
            yield from _from_address(command.replace(argv=_operands(command)))
        yield from unchecked(told)
    if "host" in also:
        yield from access(told, at_host=True)
        yield from deploying(told)
        if "commands" in also:
            yield from commanded(told)
    if "secret-words" in also:
        yield from shows_secrets(command)
    if "verbs" in also:  # its name may say more than its record
        yield from losing(told, listed=True)
        yield from publishing(told, listed=True)
        yield from outward(told)
    elif "sql" in also:
        yield from outward(told)
        if "tasks" in also:
            yield from losing_task(command)


def _by_shape(command: Command, also: frozenset[str]) -> Iterator[Effect]:
    """What a program that nobody listed is told."""
    told = Told(command)
    yield from losing(told)
    yield from publishing(told)
    yield from disarming(told)
    if told.texts:
        at_host = "host" in also
        yield from sources(told, listed="packages" in also)
        yield from access(told, at_host=at_host)
        if told.options:
            yield from joining(told)
            yield from mining(told)
        if at_host:
            yield from commanded(told)
        yield from going_live(told)
        yield from outward(told)
    yield from told_to_console(told)


_CMDLET = lazy(r"[A-Z][a-z]{1,12}-[A-Z][A-Za-z]{1,40}")


def _cmdlet(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`Stop-Computer -Force`: a line for the shell of Windows, whatever shell this is."""
    from fairlead.shell.effects.code.code_effects import code_effects  # only where there is such a line

    yield from code_effects(Code("powershell", shown(command), command), where, effects_of)


_NOTHING_ELSE: frozenset[str] = frozenset()


def _of_command(command: Command, where: Surroundings) -> list[Effect]:
    """What one command does by itself, where it runs."""
    name, argv = command.name, command.argv
    program = where.programs.find(name)
    also = program.also if program is not None else _NOTHING_ELSE
    found = _by_name_and_variables(command, where)
    if where.programs.added:
        found += _added(command, where)
    if program is not None and program.only and argv[0].text == name:
        return [*found, *_around(command, where)]
    reader = reader_of(program) if program is not None else None
    found += _of_listed(reader, command, also, where) if reader else _of_unlisted(command, also, where)
    if name not in DATA and (len(argv) > 1 or command.stdin.text):
        found += talking(command)
    if len(argv) > 1 and (reader is None or "/" in argv[0].text):
        found += under_another_name(command, where, listed=reader is not None)
    if len(argv) > 1:
        found += _by_arguments(command, also, where, listed=reader is not None)
        found += loaded_by_options(command, program, where)
    if reader is None or "paths" in also:
        from fairlead.shell.effects.files.touched_paths import touched

        found += touched(command, where)
    elif program is not None and len(argv) > 1:
        from fairlead.shell.effects.files.given_paths import otherwise_given

        found += otherwise_given(command, program, where, found)
    if "sql" in also:
        from fairlead.shell.effects.databases.sql_file_paths import files_in_sql

        found += files_in_sql(command, where)
    return [*found, *_around(command, where)]


def _by_name_and_variables(command: Command, where: Surroundings) -> list[Effect]:
    """What the name of the command says as it is written, and what is set for it."""
    found: list[Effect] = []
    written = command.argv[0].text if command.argv else ""
    if written.startswith(_INIT_SCRIPTS):
        found += _init_script(command)
    elif written.startswith(_TYPED) and written != ":":
        found += typed_escape(command, where, effects_of)
    elif written.startswith(OVERLOOKED):
        found += overlooked(command)
    if command.assignments:
        found += set_variables(command)
    if command.assignments or command.name in EXPORTING:
        found += by_variables(command)
        found += loaded_by_variables(command, where)
        found += by_setting(command)
    return found


def _added(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What somebody taught besides, whatever is known of the program."""
    for addition in where.programs.added.get(command.name, ()):
        reader = reader_of(addition)
        if reader is not None:
            yield from reader(command, where)


def _around(command: Command, where: Surroundings) -> list[Effect]:
    """What its redirections and wrappers do, whatever the command itself does."""
    found: list[Effect] = []
    if command.redirects:
        found += left_for_visitors(command)
        from fairlead.shell.effects.files.touched_paths import redirected

        found += redirected(command, where)
    if command.wrappers:
        from fairlead.shell.effects.together.wrapper_effects import wrapped

        found += wrapped(command, where)
    return found


def _of_listed(
    reader: EffectReader, command: Command, also: frozenset[str], where: Surroundings
) -> list[Effect]:
    """What its record says of a command, or else its words."""
    known = list(reader(command, where))
    if not known and not _BY_WORDS.isdisjoint(also):
        known += _by_words(command, also)
    return known


def _of_unlisted(command: Command, also: frozenset[str], where: Surroundings) -> Iterator[Effect]:
    """What the name and the words say of a program that no record tells."""
    if command.name in SPEAKING:
        if "--" in " ".join([word.text + word.prefix for word in command.argv]):
            yield from joining(Told(command))
    elif _CMDLET.fullmatch(command.name):
        yield from _cmdlet(command, where)
    elif command.argv and not command.argv[0].opaque:
        yield from _by_shape(command, also)
    if len(command.argv) > 1:
        yield from on_device(command)
        yield from unguarded(command)


def _by_arguments(
    command: Command, also: frozenset[str], where: Surroundings, *, listed: bool
) -> Iterator[Effect]:
    """What the program would do if it ran what it is given: commands, code, statements."""
    name = command.name
    if name not in DATA:
        yield from suspected(command, where, effects_of, listed=listed)
        yield from console_effects(command, where, effects_of, listed=listed)
    if "goals" in also:
        from fairlead.shell.effects.databases.database_tasks import losing_goals

        yield from losing_goals(command)
    if "launches" in also:
        yield from _launched(command, where)
    if (not listed or "statements" in also) and name not in SPEAKING:
        yield from stated(command)
