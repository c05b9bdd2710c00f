"""What the shape of a command says, whatever program it is: packages of a stranger, checks that are switched
off, secrets and access that are changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.words.lexicon.showing_verbs import LOOKING_AT_SETTINGS
from fairlead.shell.effects.words.unlisted_programs import SPEAKING, TESTING, Told
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

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


def sources(told: Told, *, listed: bool) -> Sequence[Effect]:
    """Packages from an address that they do not usually come from, and checks of packages switched off."""
    if told.tries or not told.texts or told.name in SPEAKING or told.name in TESTING:
        return ()
    line = " ".join(told.texts)
    addressed = "://" in line
    if not (addressed or listed) or _OWN_MACHINE.search(line):
        return ()
    if addressed and _points(told.texts, listed=listed):
        return (Effect(Action.CHANGE_PACKAGES, "source-change", told.command, what=shown(told.command)),)
    return unchecked(told) if listed else ()


_LOOK_UPS = names("index view info show search ping outdated")


def looks_up(told: Told) -> bool:
    """`pip index versions x --index-url …`: a package manager that only asks an index, whichever that is."""
    return not _LOOK_UPS.isdisjoint(told.texts[:1])


def unchecked(told: Told) -> Sequence[Effect]:
    """Whoever answers is believed: certificates, signatures or checksums are not looked at."""
    if _unchecked([part for text in told.texts for part in text.split()[:20]]):
        what = shown(told.command)
        return (Effect(Action.CHANGE_PACKAGES, "install-from-address", told.command, what=what),)
    return ()


def _points(texts: Sequence[str], *, listed: bool) -> bool:
    """Whether the words, among which there is an address, say that packages shall come from there."""
    installs = listed or not _INSTALLING.isdisjoint(texts[:3])
    from fairlead.shell.effects.packages.package_sources import is_foreign  # only where there is an address

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
    if any(map(_UNCHECKED.match, [text for text in texts if text.startswith("-")])):
        return True
    if not _OFF.isdisjoint(texts):
        options = [(name, value) for name, value in pairwise(texts) if name.startswith("--")]
        if any(_CHECK.search(name) and value in _OFF for name, value in options):
            return True
    if _SETTING_WORDS.isdisjoint(texts):
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


_KEPT_NOUN = lazy("|".join(_KEPT.split()), re.I)
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


def commanded(told: Told) -> Iterator[Effect]:
    """Builds and workers that others started or wait for."""
    if not told.tries and any(_AT_SERVERS.match(word.text) for word in told.given.operands[:4]):
        yield Effect(Action.CHANGE_CI, "change-repository", told.command, what=shown(told.command))


_STARTING = lazy(
    r"^(?:workflows?|pipelines?|ci|jobs?|builds?|release) (?:run|trigger|start|create|queue|deploy)$"
    r"|^(?:trigger-job|tj|build|submit)$"
)
_TO_EVERYONE = lazy(
    r"(?:^|[-_/.=:\s])(?:prod|production|live|deploy(?:ment)?|release|publish)(?:$|[-_/.\s])", re.I
)


def deploying(told: Told) -> Iterator[Effect]:
    """A pipeline that is started, and says by its name or its inputs that it brings something to everyone."""
    words = [word.text[:40] for word in told.given.operands[:4]]
    starts = any(map(_STARTING.match, [*words, *map(" ".join, pairwise(words))]))
    if (
        starts
        and not told.tries
        and "--draft" not in told.texts
        and any(map(_TO_EVERYONE.search, told.texts[1:]))
    ):
        yield Effect(Action.CHANGE_CI, "deploy", told.command, what=shown(told.command))


_JOINING = ("--token", "--registration-token", "--registrationToken", "--pat")
_JOINED = ("register", "join", "start", "connect", "enroll")


def joining(told: Told) -> Sequence[Effect]:
    """`some_runner register --token …`: a machine that will run what a code host sends."""
    given = told.given
    if not given.flags.isdisjoint(_JOINING) and any(word.text in _JOINED for word in given.operands[:2]):
        return (Effect(Action.CHANGE_CI, "change-access", told.command, what=shown(told.command)),)
    return ()


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


EXPORTING = names("export declare setenv")


def by_variables(command: Command) -> Iterator[Effect]:
    """`UV_INDEX=http://… uv sync`, `export PIP_INDEX_URL=http://…`: a source of every later install."""
    given = [(name, word.text) for name, word in command.assignments.items()]
    if command.name in EXPORTING:
        given += [(name, value) for name, _, value in (word.text.partition("=") for word in command.argv[1:])]
    for name, value in given:
        unsafe = _UNSAFE_VARIABLE.match(name) and value not in ("", *_OFF)
        unsafe = unsafe or (_CHECK_VARIABLE.match(name) and value in _OFF)
        if unsafe or (_SOURCE_VARIABLE.match(name) and _is_stranger(value)):
            yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=f"{name}={value}"[:120])
            return


def _is_stranger(address: str) -> bool:
    from fairlead.shell.effects.packages.package_sources import is_foreign  # only where there is an address

    return any(
        "://" in each and not _OWN_MACHINE.search(each) and is_foreign(each)
        for each in re.split(r"[,|\s]", address[:1000])
    )


def access(told: Told, *, at_host: bool) -> Sequence[Effect]:
    """Two words that say that a secret, a key or a hook is changed; at a code host also others."""
    command, name = told.command, told.name
    if told.tries or name in SPEAKING or name in TESTING or "/" in command.argv[0].text:
        return ()
    words = [word.text[:40] for word in told.given.operands[:5] if " " not in word.text]
    if not LOOKING_AT_SETTINGS.isdisjoint(words[:3]):
        return ()
    if _changes_access(name, words, at_host=at_host) or (at_host and _loosens(told.texts)):
        return (Effect(Action.CHANGE_CI, "change-access", command, what=shown(command)),)
    return ()


def _changes_access(program: str, words: list[str], *, at_host: bool) -> bool:
    if not (at_host or program == "az" or _KEPT_NOUN.search(" ".join(words))):
        return False
    pairs = [*map(" ".join, pairwise(words))]
    if program == "az" and any(map(_AT_AZURE.match, pairs)):
        return True
    if at_host:
        further = map(" ".join, zip(words, words[2:], strict=False))
        return any(map(_CHANGES_AT_HOSTS.match, [*words, *pairs, *further]))
    return any(map(_CHANGES.match, [*words, *pairs]))


def _loosens(texts: list[str]) -> bool:
    """A protection that an option switches off, in one word or in two."""
    return any(map(_LOOSENED.match, [*texts, *map("=".join, pairwise(texts))]))
