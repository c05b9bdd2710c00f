"""What a script would do: each of its commands by the family of its program, then all of them together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.by_shape import (
    access,
    by_variables,
    commanded,
    deploying,
    joining,
    sources,
    unchecked,
)
from fairlead.shell.effects.consoles import console_effects
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.failed_moves import where_a_move_failed
from fairlead.shell.effects.families import BY_VERB, COVERED, GROWING, TOUCHING, family_by_program, reader_of
from fairlead.shell.effects.listed import deleted_by_code, settled
from fairlead.shell.effects.outward import outward, told_to_console
from fairlead.shell.effects.printed import printed_commands
from fairlead.shell.effects.reading import redirected, touched
from fairlead.shell.effects.renamed import through_new_names
from fairlead.shell.effects.scratch import in_scratch_tree
from fairlead.shell.effects.secret_words import shows_secrets
from fairlead.shell.effects.sources import Sources
from fairlead.shell.effects.subcommands import shown
from fairlead.shell.effects.suspected import suspected
from fairlead.shell.effects.unlisted import (
    SPEAKING,
    losing,
    losing_task,
    on_device,
    publishing,
    stated,
    unguarded,
)
from fairlead.shell.effects.whole import from_network, whole_effects
from fairlead.shell.effects.wrapped import wrapped
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code, Command, Script, Word
from fairlead.shell.tables import names
from fairlead.shell.targets import Surroundings


def effects_of(script: Script, where: Surroundings) -> Iterator[Effect]:
    """Everything that the script would do, in the order of its commands, then what it does as a whole."""
    sources = Sources(script)
    single = [
        found
        for command in _once(script.commands)
        for effect in _wherever_it_runs(command, script, where)
        for found in settled(effect, script, sources, where)
        if not in_scratch_tree(found, script, where)
    ]
    yield from single
    if len(script.commands) > 1:
        yield from through_new_names(single, where)
    if script.code:
        from fairlead.shell.effects.code.effects import code_effects  # only where there is code to read

        for code in script.code:
            for effect in code_effects(code, where, effects_of):
                yield from_network(effect, sources)
            yield from deleted_by_code(code, sources, where)
    yield from whole_effects(script, sources, where)
    if any(part.executed for part in script.opaque):
        yield from printed_commands(script, where, effects_of)


_FEW = 8


def _once(commands: tuple[Command, ...]) -> Iterator[Command]:
    """A loop or a long script runs the same command many times: what it does is found once."""
    seen: set[object] = set()
    for command in commands:
        key = _same(command) if len(commands) > _FEW else None
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
    return command.cwd, command.cwd_else, command.via, command.wrappers, signs, texts, len(command.argv)


def _init_script(command: Command) -> Iterator[Effect]:
    """`/etc/init.d/ssh stop`."""
    script = bool(command.argv) and command.argv[0].text.startswith(("/etc/init.d/", "/etc/rc.d/"))
    if script and any(word.text in ("stop", "disable") for word in command.argv[1:]):
        yield Effect(Action.CHANGE_SERVICE, "stop-vital", command, what=shown(command))


_BUILDERS = names("mvn mvnw gradle gradlew sbt ant lein")
_LAUNCHERS = names(
    "sh bash cargo lein yarn pnpm bun sail npm just task mise dotenv dotenvx infisical symfony lando ddev"
)
_LAUNCHED = frozenset(("containers", "kubernetes", "cloud", "databases", "packages"))


def _launched(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`yarn prisma …`: a program of the project by its bare name."""
    for index, word in enumerate(command.argv[1:4], start=1):
        program = word.text.rsplit("/", 1)[-1]
        if family_by_program().get(program) in _LAUNCHED:
            reader = reader_of(program)
            if reader is not None:
                yield from reader(command.replace(argv=command.argv[index:]), where)
            return
        if word.text not in ("run", "exec", "x", "dlx", "--", "-s", "--silent"):
            return


_SWITCHES = lazy(r"^FAIRLEAD_\w*(?:OFF|DISABLE|SKIP|BYPASS|ALLOW|TRUST|IGNORE|MODE|LEVEL|POLICY)")


def _set_variables(command: Command) -> Iterator[Effect]:
    """A line that only sets what Fairlead reads from the environment, or one that hopes to switch it off."""
    if any(
        name.startswith("FAIRLEAD_") and (not command.argv or _SWITCHES.match(name))
        for name in command.assignments
    ):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what="FAIRLEAD_…")


_BRINGS = names(
    "install add pin i exec x run tap source index plugin specific_install import get dlx fetch upgrade init "
    "create pull"
)


def _from_address(command: Command) -> Iterator[Effect]:
    """An installer that is given an address, in a way that its table does not know."""
    words = command.argv[1:]
    if not any("://" in word.text or word.text.startswith("git+") for word in words):
        return
    from fairlead.shell.effects.packages import is_foreign  # only where it is given an address

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


def _is_growing(program: str) -> bool:
    """Whether a subcommand that its table lacks may still say by its name what it does."""
    return program in GROWING or (family_by_program().get(program) in BY_VERB and program not in COVERED)


def _brings_packages(command: Command) -> bool:
    """Programs whose family is another one may do so, too."""
    built = command.name.startswith(("nix-", "Install-")) or command.name in ("swift", "bun", "mix", "dotnet")
    return built or family_by_program().get(command.name) in ("packages", "registries")


_HOSTING = names(
    "act_runner harness spacectl appveyor bitrise gocd jx drone fly tkn teamcity teamcity-cli concourse "
    "semaphore cimon earthly dagger argocd bb bitbucket az"
)
"""Programs of build servers that no table lists, or whose table is that of a cloud."""
_CHARTS = names("helm helm3 helmfile")
_CHART_USES = names("install upgrade pull")
_PARTS_OF_HOSTS = names("pipelines repos devops artifacts")


def _is_at_host(command: Command) -> bool:
    if command.name == "az":
        return any(word.text in _PARTS_OF_HOSTS for word in command.argv[1:2])
    return command.name in _HOSTING or family_by_program().get(command.name) in ("ci", "pipelines")


_FRAMEWORKS = names("rake console magento mix symfony yii cake bench artisan manage.py drush hanami")
"""Programs whose tasks the project itself names."""


def _by_words(command: Command) -> Iterator[Effect]:
    """What a listed program is told, where its table says nothing of it."""
    if _brings_packages(command):
        yield from _from_address(command)
        yield from sources(command, listed=True)
    if command.name in _CHARTS and any(word.text in _CHART_USES for word in command.argv[1:4]):
        yield from _from_address(command.replace(argv=_operands(command)))
    if command.name in _CHARTS:
        yield from unchecked(command)
    if _is_at_host(command):
        yield from access(command, at_host=True)
        yield from deploying(command)
        if command.name == "az":
            yield from publishing(command.replace(argv=command.argv[1:]), listed=True)
        elif command.name in _HOSTING:
            yield from commanded(command)
    if command.name in COVERED:
        yield from shows_secrets(command)
    if _is_growing(command.name):
        yield from losing(command, listed=True)
        yield from publishing(command, listed=True)
        yield from outward(command)
    elif family_by_program().get(command.name) == "databases":
        yield from outward(command)
        if command.name in _FRAMEWORKS:
            yield from losing_task(command)


def _by_shape(command: Command) -> Iterator[Effect]:
    """What a program that nobody listed is told."""
    yield from sources(command, listed=_brings_packages(command))
    yield from access(command, at_host=_is_at_host(command))
    yield from joining(command)
    if _is_at_host(command):
        yield from commanded(command)


def _wherever_it_runs(command: Command, script: Script, where: Surroundings) -> Iterator[Effect]:
    if not command.cwd_else:
        yield from _of_command(command, where)
        return
    effects = list(_of_command(command, where))
    yield from effects
    yield from where_a_move_failed(effects, script, where, _of_command)


_CMDLET = lazy(r"[A-Z][a-z]{1,12}-[A-Z][A-Za-z]{1,40}")


def _cmdlet(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`Stop-Computer -Force`: a line for the shell of Windows, whatever shell this is."""
    from fairlead.shell.effects.code.effects import code_effects  # only where there is such a line

    yield from code_effects(Code("powershell", shown(command), command), where, effects_of)


def _of_command(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _init_script(command)
    yield from _set_variables(command)
    yield from by_variables(command)
    reader = reader_of(command.name)
    if reader is not None:
        known = list(reader(command, where))
        yield from known
        if not known:
            yield from _by_words(command)
    else:
        if _CMDLET.fullmatch(command.name):
            yield from _cmdlet(command, where)
        elif command.argv and command.argv[0].known:
            yield from losing(command)
            yield from publishing(command)
            yield from _by_shape(command)
            yield from outward(command)
            yield from told_to_console(command)
        yield from on_device(command)
        yield from unguarded(command)
    yield from suspected(command, where, effects_of)
    yield from console_effects(command, where, effects_of)
    if command.name in _BUILDERS:
        from fairlead.shell.effects.databases import built

        yield from built(command)
    if command.name in _LAUNCHERS:
        yield from _launched(command, where)
    if command.name not in SPEAKING and family_by_program().get(command.name) in (
        None,
        "cloud",
        "containers",
        "interpreters",
    ):
        yield from stated(command)
    if reader is None or family_by_program().get(command.name) in TOUCHING:
        yield from touched(command, where)
    if family_by_program().get(command.name) == "databases":
        from fairlead.shell.effects.sql_files import files_in_sql

        yield from files_in_sql(command, where)
    if command.redirects:
        yield from redirected(command, where)
    if command.wrappers:
        yield from wrapped(command, where)
