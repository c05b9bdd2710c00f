"""Package managers of languages: what they install, and what they remove."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.packages.package_sources import is_foreign, is_known_host, is_trusting
from fairlead.shell.effects.packages.removed_packages import GUARD_PACKAGE, REMOVALS
from fairlead.shell.effects.program_effects import fits, is_dry_run, options_of, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names


def read_language_packages(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    yield from known(command, where)
    given = read_arguments(command.argv[1:], valued=("--index-url", "-p", "--python"))
    yield from _language_packages(command, given)


_DENO_LOOKS = names("check cache info doc lint vendor types")
"""What reads a module and does not run it."""


def read_deno(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """It runs what an address holds."""
    words = [word.text for word in command.argv[1:5]]
    runs = words and words[0] not in _DENO_LOOKS
    if runs and any(re.match(r"^https?://", word) for word in words):
        yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))
    yield from read_language_packages(command, where, known)


def read_npm(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    if command.name == "yarn":
        yield from _jobs(command, where)
    yield from known(command, where)
    given = read_arguments(command.argv[1:], valued=("--registry", "--prefix", "-w"))
    yield from _language_packages(command, given)


_JOBS = names("application app applicationattempt container rmadmin node queue")


def _jobs(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Hadoop has a program of the same name as the package manager."""
    if any(word.text in _JOBS for word in command.argv[1:2]):
        from fairlead.shell.effects.databases.database_clients import read_hadoop  # only for the other yarn

        yield from read_hadoop(command, where)
    if any(word.text == "-kill" for word in command.argv[2:]):
        yield Effect(Action.CHANGE_CLOUD, "disturb", command, what=shown(command))


def read_pip(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    given = options_of(command, where)
    yield from _language_packages(command, given)
    words = [word.text for word in given.operands]
    if fits(("config", "set"), words) and re.search("index|trusted-host|proxy", " ".join(words)):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))


_UNCHECKED = lazy(r"^--(?:no-strict-ssl|strict-ssl=false|no-verify-ssl|insecure)$")
_MANAGERS = ("pip", "setuptools", "npm", "corepack")
_SOURCE_OPTIONS = (
    "-i",
    "--index-url",
    "--extra-index-url",
    "--registry",
    "--index",
    "--git",
    "-f",
    "--find-links",
    "--source",
    "-s",
    "--server",
)


_PREFIXES = names("pip pip3 tool global pipx -m")
_INSTALLS = names("install add i download inject")


def _language_packages(command: Command, given: Arguments) -> Iterator[Effect]:
    """Installs from an address, and removals of what guards."""
    words = [word.text for word in given.operands]
    if command.assignments and any(
        is_trusting(f"{name}={word.text}") for name, word in command.assignments.items()
    ):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    while words and words[0] in _PREFIXES:
        words = words[1:]
    if not words or is_dry_run(given):
        return
    if words[0] in _INSTALLS:
        yield from _installs(command, given, words[1:])
    elif words[0] in REMOVALS or words[0] == "uninstall-all":
        yield from _removals(command, given, words)


def _installs(command: Command, given: Arguments, packages: Sequence[str]) -> Iterator[Effect]:
    if any("fairlead" in word and word not in ("fairlead", "-e") for word in packages):
        yield Effect(Action.CHANGE_GUARD, "uninstall-other-guard", command, what=shown(command))
    told = [word.text for word in command.argv[2:] if not word.text.startswith(("-D", "-P"))]
    if any(map(_UNCHECKED.match, told)):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    if any(map(is_foreign, told)):
        yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=shown(command))
    sources = [given.values[option][-1].text for option in _SOURCE_OPTIONS if option in given.values]
    if given.has("--trusted-host", "--allow-insecure-host") or any(
        "://" in source and not is_known_host(source) for source in sources
    ):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))


def _removals(command: Command, given: Arguments, words: Sequence[str]) -> Iterator[Effect]:
    if words[0] == "uninstall-all" or given.has("--all", "-a"):
        yield Effect(Action.CHANGE_PACKAGES, "remove", command, what=shown(command))
    if words[0] == "uninstall-all":
        return
    unseen = given.has("-r", "--requirement") or any(not word.known for word in given.operands)
    if unseen or any(word in _MANAGERS for word in words[1:]):
        yield Effect(Action.CHANGE_PACKAGES, "remove", command, what=shown(command))
    elif any(map(GUARD_PACKAGE.search, words[1:])):
        own = any("fairlead" in word for word in words[1:])
        name = "uninstall-guard" if own else "uninstall-other-guard"
        yield Effect(Action.CHANGE_GUARD, name, command, what=shown(command))
