"""What the shape of a command says, whatever program it is: packages of a stranger, checks that are switched
off, secrets and access that are changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import is_dry_run, shown
from fairlead.shell.effects.unlisted import SPEAKING, TESTING
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.tables import names

_INSTALLING = names(
    "install add i get sync update upgrade restore fetch build run download require ensure pull resolve lock"
)
_SOURCE_OPTION = lazy(
    r"^--?(?:[\w-]+-)?(?:index|registry|registries|mirrors?|repos?|repository|repositories|channels?|substituters?"
    r"|feeds?|sources?|find-links|cdn)(?:-?(?:url|uri|host))?$"
    r"|^-D[\w.]{0,40}(?:repo|repository|repositories|registry|mirror)[\w.]{0,40}$",
    re.I,
)
_SHORT_SOURCE = names("-s -i -c -f -X")
_SOURCE_NOUN = lazy(
    r"^(?:[\w.@:-]+[-.:_])?(?:registry|registries|sources?|repos?|repository|repositories|channels?|mirrors?|feeds?"
    r"|index(?:es)?|index-url|substituters|remotes?|taps?|buckets?|plugins?|(?:https?[-_]?)?proxy|pypi)(?:[-.:_][\w.-]+)?$",
    re.I,
)
_POINTING = names("add set set-url update register use replace change config enable --add -a --set append")
_CHECK = lazy(
    r"(?:^|[-_.:])(?:(?:strict|require|enable|secure|allow|no)[-_.]?)?(?:ssl|tls|https?|verify|verification|verif|cert|certificates?"
    r"|sigs?|signatures?|gpg|gpgcheck|pgp|checksums?|sumdb|sslverify|integrity|secure)(?:$|[-_.:])|^GO(?:SUMDB|NOSUM\w*|NOSUMCHECK|INSECURE)$",
    re.I,
)
_OFF = names("0 false off no none never disabled disable False FALSE OFF")
_SETTING_WORDS = names("config set env settings --option --setopt -c --config prefs configure")
_UNCHECKED = lazy(
    r"^--(?:(?:no|skip|disable|ignore)-(?:\w+-)*(?:ssl|tls|gpg|gpgchecks?|sign|sigs?|signatures?|checksums?|certificates?|certs?|integrity)"
    r"|(?:no|skip|disable)-(?:check|verify)-(?:ssl|tls|certificate|signatures?|checksums?|gpg)"
    r"|(?:allow-)?(?:insecure|unauthenticated|untrusted|unsigned|unverified)(?:-[\w-]+)?|unsafely-ignore-[\w-]+|skip(?:pgpcheck|checksums|integ)|ignore-security-hash|no-quarantine|allow-empty-checksums[\w-]*)"
    r"(?:-checks?|-check|-verify|-verification)?(?:=(?:true|yes|1))?$"
    r"|^-insecure$|^-Skip\w{0,40}Check$|^-D[\w.-]{0,60}(?:insecure|allowall|trustall|trust-all|skipverify)[\w.-]{0,60}(?:=true)?$|^-D[\w.-]{1,80}=insecure$"
    r"|^-D[\w.-]{0,60}(?:ssl|tls|certificate)[\w.-]{0,60}verif\w{0,60}=false$",
    re.I,
)
_OWN_MACHINE = lazy(r"\b(?:localhost|127\.0\.0\.1|host\.docker\.internal|0\.0\.0\.0)\b|\[::1\]")


def sources(command: Command, *, listed: bool) -> Iterator[Effect]:
    """Packages from an address that they do not usually come from, and checks of packages switched off."""
    if command.name in SPEAKING or command.name in TESTING or len(command.argv) < 2:
        return
    texts = [word.text for word in command.argv[1:]]
    if any(_OWN_MACHINE.search(text) for text in texts) or is_dry_run(read_arguments(command.argv[1:])):
        return
    installs = listed or any(text in _INSTALLING for text in texts[:3])
    if _points(texts, installs=installs, listed=listed):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    elif listed:
        yield from unchecked(command)


def unchecked(command: Command) -> Iterator[Effect]:
    """Whoever answers is believed: certificates, signatures or checksums are not looked at."""
    if _unchecked([part for word in command.argv[1:] for part in word.text.split()[:20]]):
        yield Effect(Action.CHANGE_PACKAGES, "install-from-address", command, what=shown(command))


def _points(texts: Sequence[str], *, installs: bool, listed: bool) -> bool:
    if not any("://" in text for text in texts):
        return False
    from fairlead.shell.effects.packages import is_foreign  # only where there is an address

    for before, text in pairwise(("", *texts)):
        name, _, value = text.partition("=")
        given = (name, value) if text.startswith("-") and value else (before, text)
        named = _SOURCE_OPTION.match(given[0]) or (listed and given[0] in _SHORT_SOURCE)
        if installs and named and is_foreign(given[1]):
            return True
    settles = any(text in _POINTING for text in texts[:4])
    named = any(_SOURCE_NOUN.match(text.partition("=")[0]) for text in texts[:4])
    foreign = [text for text in texts if is_foreign(text) and not text.startswith("-")]
    return settles and named and any(listed or "http://" in text for text in foreign)


def _unchecked(texts: Sequence[str]) -> bool:
    """`tool config set strict-ssl false`, `tool env -w SUMDB=off`, `tool install --no-verify-ssl x`."""
    if any(_UNCHECKED.match(text) for text in texts):
        return True
    options = [(name, value) for name, value in pairwise(texts) if name.startswith("--")]
    if any(_CHECK.search(name) and value in _OFF for name, value in options):
        return True
    if not any(text in _SETTING_WORDS for text in texts):
        return False
    settings = [*pairwise(texts), *((text.partition("=")[0], text.partition("=")[2]) for text in texts)]
    return any(_CHECK.search(name) and value in _OFF for name, value in settings)


_KEPT = (
    "(?:org|repo|global)?secrets? webhooks? deploy-?keys? collaborators? runners? credentials? protections?"
)
_KEPT_AT_HOSTS = (
    "variables? vars? env env-?vars? memberships? tokens? members? polic(?:y|ies) permissions? "
    "environments? contexts? approvals? hooks? rulesets? service-endpoints? "
    "service-connections? agents? roles? teams? users? ssh-keys? refs? extensions? "
    "(?:variable-)?groups?"
)
_CHANGING = (
    "add|set|create|update|delete|rm|remove|rotate|revoke|unset|edit|put|disable|grant|import|store|approve|register"
    "|unregister|reset|invite|destroy|clear|replace|upsert|unlock|unprotect|install|uninstall"
)


def _noun(nouns: str) -> re.Pattern[str]:
    choice = "|".join(nouns.split())
    return lazy(
        rf"^(?:(?:[\w-]+[ :])?(?:{choice})[ :](?:{_CHANGING})|(?:[\w-]+[ :])?(?:{_CHANGING})[ :-](?:{choice})"
        rf"|(?:{choice})-(?:{_CHANGING}))$",
        re.I,
    )


_CHANGES = _noun(_KEPT)
_CHANGES_AT_HOSTS = _noun(f"{_KEPT} {_KEPT_AT_HOSTS}")
_LOOSENED = lazy(
    r"^--(?:trusted(?:=true)?|bypass-policy(?:=true)?|(?:protected|enabled|isenabled|isblocking)=false|allow-(?:pull-requests?|forks?|force-push(?:es)?)(?:=true)?"
    r"|no-protect(?:ion|ed)?|disable-protection)$",
    re.I,
)


_AT_AZURE = lazy(r"^(?:pipelines|repos|project|pool|import) (?:create|update|delete)$")
_AT_SERVERS = lazy(
    r"^(?:expose|prune|archive|pause|cancel|abort|stop|approve|decline|reject|promote|rollback|chown|terminate)(?:-\w+)?$"
)
"""What a build server is told: not so a code host, where `gh pr` has such words for everyday work."""


def commanded(command: Command) -> Iterator[Effect]:
    """Builds and workers that others started or wait for."""
    given = read_arguments(command.argv[1:])
    if not is_dry_run(given) and any(_AT_SERVERS.match(word.text) for word in given.operands[:4]):
        yield Effect(Action.CHANGE_CI, "change-repository", command, what=shown(command))


_STARTING = lazy(
    r"^(?:workflows?|pipelines?|ci|jobs?|builds?|release) (?:run|trigger|start|create|queue|deploy)$"
    r"|^(?:trigger-job|tj|build|submit)$"
)
_TO_EVERYONE = lazy(
    r"(?:^|[-_/.=:\s])(?:prod|production|live|deploy(?:ment)?|release|publish)(?:$|[-_/.\s])", re.I
)


def deploying(command: Command) -> Iterator[Effect]:
    """A pipeline that is started, and says by its name or its inputs that it brings something to everyone."""
    given = read_arguments(command.argv[1:])
    words = [word.text[:40] for word in given.operands[:4]]
    starts = any(_STARTING.match(text) for text in (*words, *(" ".join(pair) for pair in pairwise(words))))
    if starts and not is_dry_run(given) and any(_TO_EVERYONE.search(w.text) for w in command.argv[2:]):
        yield Effect(Action.CHANGE_CI, "deploy", command, what=shown(command))


_JOINING = ("--token", "--registration-token", "--registrationToken", "--pat")
_JOINED = ("register", "join", "start", "connect", "enroll")


def joining(command: Command) -> Iterator[Effect]:
    """`some_runner register --token …`: a machine that will run what a code host sends."""
    given = read_arguments(command.argv[1:])
    if given.has(*_JOINING) and any(word.text in _JOINED for word in given.operands[:2]):
        yield Effect(Action.CHANGE_CI, "change-access", command, what=shown(command))


_SOURCE_VARIABLE = lazy(
    r"^(?:\w+_)?(?:INDEX|INDEX_URL|REGISTRY|REGISTRY_SERVER|REGISTRY_URL|HOSTED_URL|STORAGE_BASE_URL|MIRROR|GOPROXY|BOTTLE_DOMAIN|API_DOMAIN|ARTIFACT_DOMAIN|GIT_REMOTE"
    r"|REPOSITORY_URL|FIND_LINKS|CHANNEL_ALIAS|GEM_SOURCE)$",
    re.I,
)
_UNSAFE_VARIABLE = lazy(
    r"^(?:HEX_UNSAFE_HTTPS|PIP_TRUSTED_HOST|UV_INSECURE_HOST|GOINSECURE|GONOSUM\w{0,20}|npm_config_script_shell"
    r"|\w{1,60}_(?:NO|SKIP|DISABLE|IGNORE)_(?:SSL|TLS|VERIFY|VERIFICATION|SIGNATURE|CHECKSUM|CERT)\w{0,40})$",
    re.I,
)
_CHECK_VARIABLE = lazy(
    r"^GOSUMDB$|^PYTHONHTTPSVERIFY$|^NODE_TLS_REJECT_UNAUTHORIZED$|^(?:npm_config_|yarn_|bundle_|conda_|cargo_|pip_|composer_|uv_)"
    r"\w{0,40}(?:ssl|tls|verify|revoke|signature|checksum)\w{0,40}$",
    re.I,
)


def by_variables(command: Command) -> Iterator[Effect]:
    """`UV_INDEX=http://… uv sync`, `export PIP_INDEX_URL=http://…`: a source of every later install."""
    exports = command.name in ("export", "declare", "setenv")
    if not (command.assignments or exports):
        return
    given = [(name, word.text) for name, word in command.assignments.items()]
    if exports:
        given += [(name, value) for name, _, value in (word.text.partition("=") for word in command.argv[1:])]
    for name, value in given:
        unsafe = _UNSAFE_VARIABLE.match(name) and value not in ("", *_OFF)
        unsafe = unsafe or (_CHECK_VARIABLE.match(name) and value in _OFF)
        if unsafe or (_SOURCE_VARIABLE.match(name) and _is_stranger(value)):
            yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=f"{name}={value}"[:120])
            return


def _is_stranger(address: str) -> bool:
    from fairlead.shell.effects.packages import is_foreign  # only where there is an address

    return any(
        "://" in each and not _OWN_MACHINE.search(each) and is_foreign(each)
        for each in re.split(r"[,|\s]", address[:1000])
    )


def access(command: Command, *, at_host: bool) -> Iterator[Effect]:
    """Two words that say that a secret, a key or a hook is changed; at a code host also others."""
    if command.name in SPEAKING or command.name in TESTING or "/" in command.argv[0].text:
        return
    given = read_arguments(command.argv[1:])
    words = [word.text[:40] for word in given.operands[:5] if " " not in word.text]
    if is_dry_run(given) or any(word in ("list", "ls", "help", "show", "get") for word in words[:3]):
        return
    pattern = _CHANGES_AT_HOSTS if at_host else _CHANGES
    texts = [word.text for word in command.argv[1:]]
    told = [*texts, *("=".join(pair) for pair in pairwise(texts))]
    near = [*pairwise(words), *(zip(words, words[2:], strict=False) if at_host else ())]
    named = any(pattern.match(text) for text in (*words, *(" ".join(pair) for pair in near)))
    named = named or (
        command.name == "az" and any(_AT_AZURE.match(" ".join(pair)) for pair in pairwise(words))
    )
    if named or (at_host and any(_LOOSENED.match(text) for text in told)):
        yield Effect(Action.CHANGE_CI, "change-access", command, what=shown(command))
