"""Package managers and registries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommand_tables import (
    Danger,
    fits,
    is_dry_run,
    same_reader,
    shown,
    subcommand_reader,
)
from fairlead.shell.effects.tables.publishers import PUBLISHERS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_PUBLISH = Action.PUBLISH_PACKAGE
_GUARD_PACKAGE = lazy(
    r"fairlead|^(?:dcg|nah|ccguard|cupcake|agentsh|tirith|sandbox-runtime|destructive-command-guard)$|[\w-]*[-_]guard(?:rails?)?$|safety[-_]?(?:net|guard)|(?:hook|command|agent|claude|codex)s?[-_]?guard|hooks?[-_]daemon|guard[-_]?hooks?",
    re.IGNORECASE,
)
_VITAL_PACKAGE = lazy(
    r"^(?:sudo|systemd|bash|coreutils|libc6?|glibc|linux-(?:image|headers).*|kernel.*|python3?(?:-minimal|-base)?|openssh-server|apt|dpkg|rpm|dnf|yum"
    r"|init|musl|busybox|util-linux|grub.*|network-manager|netplan.*|docker(?:-ce|\.io)?|\*|.*\*)$"
)
_ADDRESS = lazy(
    r"(?:\A|@ *|=)((?:https?://|(?:git|svn|hg|bzr)\+|git://|git@|ssh://|ftp://|s3://|file:|github:|gitlab:|bitbucket:|gist:).*)",
    re.IGNORECASE,
)
"""Where a package comes from, when it is no name: `git+https://…`, `name @ https://…`, `--from=git+ssh://…`."""

_TRUSTED = "|".join(
    f"{name}|{name}=*"
    for name in names(
        """
        proxy https-proxy ca cafile registry *:registry *_authtoken ignore-scripts strict-ssl script-shell
        shell git node-gyp node-options *npmregistryserver enablestrictssl unsafehttpwhitelist
        """
    )
)
"""Settings that say where packages come from, whether they are checked, and what runs their scripts."""
_USUAL = "https://registry.npmjs.org*|https://registry.yarnpkg.com*|http://localhost*|http://127.0.0.1*"
_NPM = (
    Danger("unpublish", "unpublish"),
    Danger("publish|pub", "publish"),
    Danger("* publish", "publish", needs=("--filter", "-F", "-r", "--recursive")),
    Danger("npm tag add|remove|rm|set", "registry-change"),
    Danger("npm unpublish|deprecate", "registry-change"),
    Danger("npm publish", "publish"),
    Danger("workspaces foreach ** publish", "publish"),
    Danger("workspace * publish", "publish"),
    Danger("workspace * npm publish|tag|unpublish|deprecate", "publish"),
    Danger("deprecate|undeprecate", "registry-change"),
    Danger("profile set|enable-2fa|disable-2fa|enable-tfa|disable-tfa", "registry-change"),
    Danger("hook add|update|rm", "registry-change"),
    Danger("owner|author|team|org add|rm|remove|create|destroy|set", "registry-change"),
    Danger("dist-tag|dist-tags|tag add|rm|remove|set", "registry-change"),
    Danger("access grant|revoke|public|restricted|set|edit|2fa-*", "registry-change"),
    Danger("token create|revoke|delete", "registry-change"),
    Danger("login|adduser", "source-change", needs=("--registry",), action=Action.CHANGE_PACKAGES),
    Danger(f"config|c set registry {_USUAL}", "known-source", action=Action.CHANGE_PACKAGES),
    Danger(f"set registry {_USUAL}", "known-source", action=Action.CHANGE_PACKAGES),
    Danger(
        "config|c set strict-ssl|enablestrictssl|ignore-scripts true",
        "known-source",
        action=Action.CHANGE_PACKAGES,
    ),
    Danger("config|c set strict-ssl=true|ignore-scripts=true", "known-source", action=Action.CHANGE_PACKAGES),
    Danger(f"config|c set {_TRUSTED}", "source-change", action=Action.CHANGE_PACKAGES),
    Danger(f"set {_TRUSTED}", "source-change", action=Action.CHANGE_PACKAGES),
    Danger("**", "source-change", needs=("--script-shell",), action=Action.CHANGE_PACKAGES),
    Danger("config get *authtoken*|*password*", "read-secret", action=Action.READ_SECRET),
)
_npm_known = subcommand_reader(
    _PUBLISH,
    _NPM,
    valued=names("--registry --tag --otp -w --workspace --prefix -C --dir --cwd --filter -F"),
)
_TRUSTING = lazy(
    r"^(?:PIP_TRUSTED_HOST=.|GO(?:INSECURE|NOSUMDB|NOSUMCHECK)=.|GOSUMDB=off|GOFLAGS=.*insecure"
    r"|NODE_TLS_REJECT_UNAUTHORIZED=0|(?:PIP_(?:EXTRA_)?INDEX_URL|UV_(?:EXTRA_)?INDEX(?:_URL)?|npm_config_registry|YARN_REGISTRY"
    r"|GOPROXY|CARGO_REGISTRIES_\w+)=(?P<source>.*))",
    re.IGNORECASE,
)
"""Variables that say where packages come from, or that nobody shall check them."""
_UNCHECKED = lazy(r"^--(?:no-strict-ssl|strict-ssl=false|no-verify-ssl|insecure)$")
_UNCHECKED_SETTING = lazy(r"AllowInsecure|AllowUnauth|Verify-(?:Peer|Host)=(?:false|0|no)", re.IGNORECASE)
_MANAGERS = ("pip", "setuptools", "npm", "corepack")
_REMOVALS = (
    "uninstall",
    "remove",
    "rm",
    "un",
    "unlink",
    "r",
    "erase",
    "purge",
    "autoremove",
    "autopurge",
    "del",
    "-R",
)


def _npm(command: Command, where: Surroundings) -> Iterator[Effect]:
    if command.name == "yarn" and any(word.text == "-kill" for word in command.argv[2:]):
        yield Effect(Action.CHANGE_CLOUD, "disturb", command, what=shown(command))  # the one of Hadoop
    yield from _npm_known(command, where)
    given = read_arguments(command.argv[1:], valued=("--registry", "--prefix", "-w"))
    yield from _language_packages(command, given)


_JOBS = names("application app applicationattempt container rmadmin node queue")


def _yarn(command: Command, where: Surroundings) -> Iterator[Effect]:
    """The package manager; Hadoop has a program of the same name."""
    if any(word.text in _JOBS for word in command.argv[1:2]):
        from fairlead.shell.effects.services.database_clients import hadoop  # only for the other yarn

        yield from hadoop(command, where)
    yield from _npm(command, where)


def _pip(command: Command, where: Surroundings) -> Iterator[Effect]:
    valued = names(
        """
        -r -c -e -i -f -t --requirement --constraint --index-url --extra-index-url --target
        --find-links --python
        """
    )
    given = read_arguments(command.argv[1:], valued=valued)
    yield from _language_packages(command, given)
    words = [word.text for word in given.operands]
    if fits(("config", "set"), words) and re.search("index|trusted-host|proxy", " ".join(words)):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))


def _is_trusting(assignment: str) -> bool:
    found = _TRUSTING.match(assignment)
    if found is None or found["source"] is None:
        return found is not None
    return any(
        "$" in source or ("://" in source and not _is_known_host(source))
        for source in re.split(r"[,|\s]", found["source"])
    )


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


def _language_packages(command: Command, given: Arguments) -> Iterator[Effect]:
    """Installs from an address, and removals of what guards."""
    words = [word.text for word in given.operands]
    if command.assignments and any(
        _is_trusting(f"{name}={word.text}") for name, word in command.assignments.items()
    ):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    while words and words[0] in ("pip", "pip3", "tool", "global", "pipx", "-m"):
        words = words[1:]
    if not words or is_dry_run(given):
        return
    if words[0] in ("uninstall-all",) or (words[0] in _REMOVALS and given.has("--all", "-a")):
        yield Effect(Action.CHANGE_PACKAGES, "remove", command, what=shown(command))
    if words[0] in ("install", "add", "i", "download", "inject"):
        if any("fairlead" in word and word not in ("fairlead", "-e") for word in words[1:]):
            yield Effect(Action.CHANGE_GUARD, "uninstall-other-guard", command, what=shown(command))
        given_words = [word.text for word in command.argv[2:] if not word.text.startswith(("-D", "-P"))]
        if any(map(_UNCHECKED.match, given_words)):
            yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
        if any(map(is_foreign, given_words)):
            yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=shown(command))
        sources = [given.values[option][-1].text for option in _SOURCE_OPTIONS if option in given.values]
        if given.has("--trusted-host", "--allow-insecure-host") or any(
            "://" in source and not _is_known_host(source) for source in sources
        ):
            yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    elif (
        words[0] in _REMOVALS
        and (given.has("-r", "--requirement") or any(not w.known for w in given.operands))
    ) or (words[0] in _REMOVALS and any(word in _MANAGERS for word in words[1:])):
        yield Effect(Action.CHANGE_PACKAGES, "remove", command, what=shown(command))
    elif words[0] in _REMOVALS and any(_GUARD_PACKAGE.search(word) for word in words[1:]):
        own = any("fairlead" in word for word in words[1:])
        name = "uninstall-guard" if own else "uninstall-other-guard"
        yield Effect(Action.CHANGE_GUARD, name, command, what=shown(command))


_KNOWN_SOURCES = {
    **dict.fromkeys(("pypi", "pythonhosted", "npmjs", "rubygems", "bitbucket", "pytorch", "golang"), "org"),
    **dict.fromkeys(("github", "gitlab", "yarnpkg"), "com"),
    "crates": "io",
    "goproxy": "io",
    "nuget": "org",
}
"""The domains that packages usually come from: each by its name and what stands behind the last dot."""


def is_foreign(word: str) -> bool:
    """Whether it names an address that packages do not usually come from."""
    found = _ADDRESS.search(word)
    return found is not None and not _is_known_host(found[1])


def _is_known_host(address: str) -> bool:
    if address.startswith(("github:", "gitlab:", "file:")):
        return True
    host = re.split(r"://|@", address, maxsplit=1)[-1].split("/")[0].split(":")[0].rpartition("@")[2]
    if host in ("localhost", "127.0.0.1"):
        return True
    name, _, top = host.rpartition(".")
    return _KNOWN_SOURCES.get(name.rpartition(".")[2]) == top


_UNTRUSTED = (
    "--allow-unauthenticated",
    "--allow-untrusted",
    "--nogpgcheck",
    "--nodigest",
    "--nosignature",
    "--no-gpg-checks",
    "--no-gpg-verify",
    "--allow-insecure-repositories",
    "--force-all",
    "--force-bad-verify",
    "--force-overwrite",
    "--import",
)
_RISKY = (
    "--dangerous",
    "--devmode",
    "--add-repo",
    "--force-yes",
    "--allow-remove-essential",
    "--allow-change-held-packages",
)
_RISKY_WORDS = names(
    "dist-upgrade full-upgrade addrepo ar config-manager remote-add copr distro-sync system-upgrade"
)


def _system(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=("-o", "-c", "-t"))
    pacman = command.name in _PACMAN
    if is_dry_run(given) or given.has("--assume-no", "--assumeno") or (given.has("-s") and not pacman):
        return
    words = [word.text for word in given.operands]
    settings = given.values.get("-o", ())
    untrusted = given.has(*_UNTRUSTED) or any(_UNCHECKED_SETTING.search(word.text) for word in settings)
    if untrusted or any(re.match(r"^https?://", word) for word in words[1:] or words):
        yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=shown(command))
    risky = given.has(*_RISKY) or (bool(words) and words[0] in _RISKY_WORDS)
    risky = risky or given.text("--setopt").lower() in ("gpgcheck=0", "sslverify=0", "gpgcheck=false")
    if risky:
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    if any(_GUARD_PACKAGE.search(word) for word in words[1:]) and words[:1] != ["install"]:
        yield Effect(Action.CHANGE_GUARD, "uninstall-guard", command, what=shown(command))
    if not _removes(command, given, words):
        return
    packages = words[1:] if words and words[0] in _REMOVALS else words
    vital = any(_VITAL_PACKAGE.match(package) for package in packages)
    yield Effect(Action.CHANGE_PACKAGES, "remove-vital" if vital else "remove", command, what=shown(command))


def _removes(command: Command, given: Arguments, words: Sequence[str]) -> bool:
    """`apt remove x`, `dnf history undo`, `apt install x-`, `pacman -Rns x`, `rpm -e x`."""
    first = words[0] if words else ""
    if first in _REMOVALS or first in ("groupremove", "swap", "revert"):
        return True
    if first in ("group", "history", "module") and list(words[1:2]) in _UNDONE:
        return True
    if first == "install" and any(_WITH_MINUS.match(word) for word in words[1:]):
        return True
    if command.name in ("dpkg", "rpm"):
        return given.has("-r", "-P", "-e", "--purge", "--remove", "--erase")
    return command.name in _PACMAN and any(
        word.text.startswith(("-R", "--remove")) for word in command.argv[1:2]
    )


_WITH_MINUS = lazy(r"^[a-z][\w.+-]+-$")
_UNDONE = (["remove"], ["undo"], ["rollback"], ["redo"], ["rm"])
_PACMAN = ("pacman", "yay", "paru")


_DENO_LOOKS = frozenset(("check", "cache", "info", "doc", "lint", "vendor", "types"))
"""What reads a module and does not run it."""
_SINGLE_DASH = frozenset(("mvn", "gradle", "gradlew", "sbt"))


def _with_languages(known: EffectReader) -> EffectReader:
    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        yield from known(command, where)
        words = [word.text for word in command.argv[1:5]]
        runs = command.name == "deno" and words and words[0] not in _DENO_LOOKS
        if runs and any(re.match(r"^https?://", word) for word in words):
            yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=shown(command))
        yield from _language_packages(
            command, read_arguments(command.argv[1:], valued=("--index-url", "-p", "--python"))
        )

    return read


_PLACING = {
    "poetry": ("-C", "-P", "--directory", "--project"),
    "hatch": ("-e", "--env", "--project"),
    "uv": ("--directory", "--project"),
    "cargo": ("-C", "--manifest-path", "--config"),
    "gem": ("-C", "-P", "--trust-policy"),
    "flit": ("-f", "--repository", "--pypirc"),
    "composer": ("-d", "--working-dir"),
}
"""Options with a value that may stand before the subcommand."""
TABLE: dict[str, EffectReader] = {
    **same_reader(_npm, "npm pnpm cnpm"),
    "yarn": _yarn,
    **same_reader(_pip, "pip pip3 pipx pipenv"),
    **same_reader(
        _system,
        "apt apt-get aptitude yum dnf zypper apk dpkg rpm snap flatpak port pacman yay paru microdnf tdnf",
    ),
    **{
        name: _with_languages(
            subcommand_reader(
                _PUBLISH,
                table,
                valued=("--registry", "-p", "-s", "--token", "-k", *_PLACING.get(name, ())),
                single_dash=name in _SINGLE_DASH,
            )
        )
        for name, table in PUBLISHERS.items()
    },
}
