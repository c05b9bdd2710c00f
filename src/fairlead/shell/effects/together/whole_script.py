"""Effects that no single command has: what is fed to an interpreter, what is piped out, what is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Set

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.git.commands_together import git_together
from fairlead.shell.effects.machine.disguises import (
    CLIPBOARDS,
    COPYING,
    DELETING,
    DISGUISING,
    renamed_shells,
    self_deleting,
    watched_clipboard,
)
from fairlead.shell.effects.machine.named_exploits import named_exploit
from fairlead.shell.effects.network.scans import SWEEPING, scanned_ports, swept_machines
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.together.exhausting import (
    ENDLESS_PROGRAMS,
    ENDLESS_WORDS,
    crowding,
    exhausting,
    filling,
)
from fairlead.shell.effects.together.feeding_commands import Sources
from fairlead.shell.effects.together.piped_input import (
    APPLYING,
    CLIENTS,
    CONSOLE_WORDS,
    PRINTERS,
    fed_consoles,
    fed_dumps,
    fed_manifests,
    fed_statements,
    mass_kills,
    unpacked,
)
from fairlead.shell.effects.together.piped_out import (
    DUMPS,
    FILTERS,
    SCREENS,
    SENDERS,
    TALKERS,
    TELLERS,
    connected,
    filtered_dumps,
    piped_shells,
    sent,
    stored_dumps,
)
from fairlead.shell.effects.together.run_downloads import FETCHING, piped_from_network, run_downloads
from fairlead.shell.effects.together.spoken_shells import SPEAKING_PROGRAMS, spoken_shells, web_shells
from fairlead.shell.effects.together.tried_passwords import TRYING_LOGINS, tried_passwords
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command, Opaque, Script, program_name
from fairlead.shell.unknown import Kind, Stage, Unknown
from fairlead.shell.word_sets import names

_RUNS_INPUT = names("deno uv bun tsx pipx ansible-playbook kubectl oc k helm")
_RUNNERS = names("npx bunx pnpx pnpm yarn uvx dlx uv pipx")
_BOMB = lazy(r"(?<![\w:.-])([\w:.-]{1,200})\s*\(\s*\)\s*\{[^}]*?\1\s*(?:\|\s*)?&?\s*\1\s*&")


def whole_effects(script: Script, sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """What the script does as a whole."""
    commands = script.commands
    programs = {command.name for command in commands}
    said = {word.text for command in commands for word in command.argv}
    if script.opaque:
        yield from _of_opaque(script, sources)
    if "kill" in programs:
        yield from mass_kills(script, sources)
    if not (said.isdisjoint(ENDLESS_WORDS) and programs.isdisjoint(ENDLESS_PROGRAMS)):
        yield from exhausting(commands)
    yield from _hidden_or_open(script, programs)
    if len(commands) > 1:
        yield from _together(commands, programs, said, sources, where)
    for command in commands:
        yield from _of_one(command, commands, sources)
    if not (programs.isdisjoint(CLIENTS) and said.isdisjoint(CONSOLE_WORDS) and "dbshell" not in said):
        yield from fed_consoles(commands, sources)
        yield from fed_dumps(commands, sources)
    if len(commands) > 1 and not said.isdisjoint(APPLYING):
        yield from fed_manifests(commands, sources)


def _of_one(command: Command, commands: tuple[Command, ...], sources: Sources) -> Iterator[Effect]:
    """Where a command is connected to, and where what it runs comes from."""
    if command.redirects:
        if any(each.target.text.endswith("/release_agent") for each in command.redirects):
            yield Effect(Action.GAIN_PRIVILEGE, "escape", command, what=shown(command))
        yield from connected(command, commands)
        yield from scanned_ports(command)
    yield from named_exploit(command)
    if command.name in SWEEPING:
        yield from swept_machines(command)
    if command.argv and (
        command.argv[0].text.startswith(("github:", "git+http:", "git+https:"))
        or (command.wrappers and _runs_repository(command))
    ):
        yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, detail="a program from an address")
    if (command.wrappers and _is_run_by_address(command)) or (
        command.position and _reads_input(command) and piped_from_network(command, sources)
    ):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))


_TAKING_SPACE = names("fallocate mkfile truncate cat dd")


def _hidden_or_open(script: Script, programs: Set[str]) -> Iterator[Effect]:
    """What is made to be overlooked or to crowd the machine, and shells for others that code opens."""
    if "for " in script.text and ("&" in script.text or "000000" in script.text):
        yield from crowding(script)
    if "do" in script.text and not programs.isdisjoint(_TAKING_SPACE):
        yield from filling(script)
    if "do" in script.text and (not programs.isdisjoint(TRYING_LOGINS) or "sshpass" in script.text):
        yield from tried_passwords(script)
    if not programs.isdisjoint(DISGUISING):
        yield from _disguised(script, programs)
    if not programs.isdisjoint(SPEAKING_PROGRAMS):
        yield from spoken_shells(script, programs)
    if "$_" in script.text or "getRuntime" in script.text:
        yield from web_shells(script.commands, script.text)


def _disguised(script: Script, programs: Set[str]) -> Iterator[Effect]:
    if not programs.isdisjoint(COPYING):
        yield from renamed_shells(script.commands)
    if not programs.isdisjoint(CLIPBOARDS):
        yield from watched_clipboard(script)
    if not programs.isdisjoint(DELETING):
        yield from self_deleting(script)


def _of_opaque(script: Script, sources: Sources) -> Iterator[Effect]:
    """What cannot be known, or has no end."""
    first = script.commands[0] if script.commands else Command((), None)
    for part in script.opaque:
        if not _is_script_by_name(part, script.commands):
            yield _unknown(part, script, sources, first)
    origins = {part.unknown.kind: part.origin for part in script.opaque}
    if Kind.RECURSION in origins and _BOMB.search(script.text[:65536]):
        yield Effect(Action.KILL, "fork-bomb", first, what=script.text[:80])
    for kind, name in ((Kind.ENDLESS, "fork-bomb"), (Kind.FILLING, "exhaust")):
        if kind in origins:
            yield Effect(Action.KILL, name, first.replace(origin=origins[kind]), what=script.text[:80])


def _is_run_by_address(command: Command) -> bool:
    """`npx https://…`, `uv run https://….py`."""
    via_runner = any(wrapper.name in _RUNNERS for wrapper in command.wrappers)
    started = command.argv[1:2] if command.name == "python" else command.argv[:1]
    return via_runner and any(word.text.startswith(("http://", "https://")) for word in started)


_REPOSITORY = lazy(
    r"^(?:--(?:from|spec|package)=|-p=?)?(?:\w[\w.-]* *@ *)?(?:git\+|https?://|git@|github:|gitlab:|gist:|bitbucket:)"
)
_PINNED = lazy(r"@v?\d[\w.]*$|@[0-9a-f]{7,40}$|#(?:v\d|[0-9a-f]{7,40})")
_SHORTHAND = lazy(r"[A-Za-z0-9][\w-]*/[\w.-]+(?:#.*)?")
_OF_NODE = names("npx bunx pnpx")


def _runs_repository(command: Command) -> bool:
    """`uvx --from git+https://…`, `npx someone/tool`: whatever is in a repository now."""
    for wrapper in command.wrappers:
        if wrapper.name not in _RUNNERS:
            continue
        given = [word.text for word in wrapper.argv[1:]]
        if any(_REPOSITORY.match(text) and not _PINNED.search(text) for text in given):
            return True
        if wrapper.name in _OF_NODE and _SHORTHAND.fullmatch(command.argv[0].text):
            return True
    return False


def _reads_input(command: Command) -> bool:
    """Whether it is told to run, apply or build what comes in."""
    name, texts = command.name, [word.text for word in command.argv[1:]]
    if name in ("docker", "podman"):
        return "build" in texts and "-" in texts
    told = name in _RUNS_INPUT and ("-" in texts or "/dev/stdin" in texts)
    return told and not any(text.startswith("--dry-run") for text in texts)


def _together(
    commands: tuple[Command, ...],
    programs: Set[str],
    said: Set[str],
    sources: Sources,
    where: Surroundings,
) -> Iterator[Effect]:
    """What one command does with what another one left or printed; each is looked for only where the
    programs and the words are there without which there is none."""
    if not programs.isdisjoint(SENDERS):
        yield from sent(commands, sources, where)
        if not (programs.isdisjoint(DUMPS) and programs.isdisjoint(SCREENS)):
            yield from stored_dumps(commands, where)
    if not programs.isdisjoint(TALKERS):
        yield from piped_shells(commands)
    if "git" in programs:
        if "tar" in programs:
            yield from unpacked(commands)
        if "diff" in said or "push" in said:
            yield from git_together(commands, sources, where)
    if not programs.isdisjoint(FILTERS) and not (programs.isdisjoint(DUMPS) and said.isdisjoint(TELLERS)):
        yield from filtered_dumps(commands)
    if not programs.isdisjoint(FETCHING) or ("clone" in said and "git" in programs):
        yield from run_downloads(commands, where)
    if not programs.isdisjoint(PRINTERS):
        yield from fed_statements(commands, where)


_SCRIPT = lazy(r"[\w./~@+-]{1,300}\.(?:sh|bash|zsh|ksh)")


def _is_script_by_name(part: Opaque, commands: tuple[Command, ...]) -> bool:
    """`cat setup.sh | bash` is `bash setup.sh`, unless it is printed somewhere else."""
    if part.network or part.unknown.kind != Kind.RUNS or not all(map(_prints_script, part.unknown.of)):
        return False
    return not any(command.wrappers for command in commands if command.name == "cat")


def _prints_script(part: Unknown) -> bool:
    stage = part.stages[-1] if part.stages else ()
    return len(stage) == 2 and stage[0] == "cat" and _SCRIPT.fullmatch(stage[1]) is not None


_FROM_ELSEWHERE = names("ssh sshpass ssh-keyscan scp gsutil gh rclone nc ncat sftp ftp")


def _unknown(part: Opaque, script: Script, sources: Sources, first: Command) -> Effect:
    from fairlead.shell.unknown_text import describe  # only where something would have to be told

    around = [c for c in script.commands if c.start <= part.start < c.end]
    command = next((c for c in around if c.origin == part.origin), around[0] if around else first)
    command = command.replace(start=part.start, end=part.end, origin=part.origin)
    upstream, detail = piped_from_network(command, sources), describe(part.unknown)
    fetched = part.network or upstream or any(map(_is_from_elsewhere, part.unknown.commands()))
    if fetched and part.executed:
        return Effect(Action.RUN_NETWORK_CODE, "download", command, what=_slice(script, part), detail=detail)
    name = "executed" if part.executed else "part"
    if part.executed and _unreadable(part):
        name = "unreadable"
    return Effect(Action.RUN_UNKNOWN_CODE, name, command, what=_slice(script, part), detail=detail)


def from_network(effect: Effect, sources: Sources) -> Effect:
    """Unknown code of a command that a download feeds is code from the network."""
    if effect.action is Action.RUN_UNKNOWN_CODE and piped_from_network(effect.command, sources):
        return effect.replace(action=Action.RUN_NETWORK_CODE, name="download")
    return effect


def _is_from_elsewhere(stage: Stage) -> bool:
    return program_name(stage[0]) in _FROM_ELSEWHERE or stage[:2] == ("aws", "s3")


_UNREADABLE = (Kind.TEXT_TOO_LONG, Kind.TOO_MANY_STEPS, Kind.TOO_DEEP, Kind.SYNTAX_TOO_DEEP)


def _unreadable(part: Opaque) -> bool:
    return part.unknown.has(*_UNREADABLE)


def _slice(script: Script, part: Opaque) -> str:
    return script.text.encode("utf-8", "surrogateescape")[part.start : part.end][:200].decode(
        "utf-8", "replace"
    )
