"""Pipelines and install scripts: what they would run is judged before it is written.

A file that others' machines run by themselves, with the project's secrets at hand, is more than text. What is
everyday work there stays so: a release is published from a pipeline, and a build machine may be emptied.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator

from fairlead.packs.judging.judge import find_matches
from fairlead.packs.judging.losses.git_state import Inquiry
from fairlead.packs.judging.planted_text import is_planted_in, planted_order
from fairlead.packs.places.secret_homes import SENDERS, kept_and_sent, posted_astray, secrets_in, sent_astray
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.embedded import install_scripts, pipeline_commands
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place
from fairlead.shell.reader import read_script
from fairlead.shell.script import Command, Script
from fairlead.shell.word_sets import names

_PIPELINE = lazy(
    r"/\.github/workflows/|/\.gitlab-ci|/\.gitlab/ci/|/\.circleci/|/Jenkinsfile[^/]*$|/azure-pipelines|/\.azure-pipelines/"
    r"|/\.buildkite/|/bitbucket-pipelines|/\.drone\.|/\.woodpecker|/\.travis\.y|/\.tekton/|/\.semaphore/|/\.?appveyor\.y"
    r"|/cloudbuild\.y|/\.cirrus\.y|/\.gitea/workflows/|/\.forgejo/workflows/|/\.concourse|/buildspec\.y|/codemagic\.y"
    r"|/bitrise\.y|/\.harness/|/\.teamcity/|/action\.ya?ml$|/\.github/actions/"
)
_PACKAGE = lazy(r"/(?:package|composer)\.json(?:\.\w{1,8})?$")
_BUILDING = lazy(
    r"/(?:(?:setup|conftest|noxfile|(?:site|user)customize)(?=\.py$)|extconf(?=\.rb$)|[^/]+(?=\.gemspec$))\.(py|rb|gemspec)$"
)
"""Code that runs when the package is installed, or its tests are started."""
_INTERPRETERS = {"py": "python3 -c", "rb": "ruby -e", "gemspec": "ruby -e"}
_REACHES_OUT = lazy(r"https?://|\bsocket\b|\bcurl\b|\bwget\b")
LONGEST_FILE = 1 << 17
"""Characters of a file that are read: who is given more says so."""
_PACKS = ("network-code", "exfiltration", "secrets")
_JUDGED = frozenset(
    (
        "network-code/run-download",
        "network-code/remote-shell",
        "network-code/tunnel",
        "exfiltration/send-environment",
        "secrets/print-secret",
        "secrets/read-secret-file",
        "secrets/read-secret-directory",
    )
)
_TALKING = SENDERS | names("nc ncat netcat socat scp sftp aws gsutil")
_ENCODERS = names("base64 base32 xxd od openssl gpg")
_ADDRESS = lazy(r"(?:--url=)?(?:https?://|[\w.-]+\.[a-z]{2,12}/)")
_NOTIFIED = lazy(
    r"(?:--url=)?(?:https?://)?(?:(?:[\w-]+\.)?discord(?:app)?\.com/api/webhooks|api\.telegram\.org/bot)"
)
_SUSPECT = lazy(
    r"https?://|\b(?:curl|wget|nc|ncat|socat|telnet|env|printenv|set|dig|nslookup)\b|/dev/(?:tcp|udp)/|SECRET|TOKEN|PASSWORD|KEY|\brm "
)
_POWERSHELL = lazy(r"\b(?:iex|iwr|irm|Invoke-\w+|New-Object|DownloadString)\b", re.IGNORECASE)
_DISGUISED = lazy(
    r"\b(?:echo|printf)\b[^\n|]{0,200}\$\{?SECRET_\w{1,60}[^\n|\w]{0,8}\|\s{0,8}"
    r"(?:base64(?!\s+(?:-d|-D|--decode))|base32(?!\s+-d)|rev|xxd(?!\s+-r)|od|hexdump|fold)\b"
)
"""A secret in another spelling, which no build server finds in its log to hide it."""
_MOST_LINES = 100


def is_pipeline(path: str) -> bool:
    return bool(_PIPELINE.search(path))


def is_run_elsewhere(path: str) -> bool:
    """Whether machines run what stands in the file, without anyone who tells them to."""
    return bool(is_pipeline(path) or _PACKAGE.search(path) or _BUILDING.search(path) or is_planted_in(path))


def found_in_file(path: str, text: str, where: Surroundings) -> str:
    """The part of the file that would leak secrets or run what a server sends; empty where there is none."""
    text = text[:LONGEST_FILE]
    if is_pipeline(path):
        script = pipeline_commands(path, text)
        wrong = next(wrong_settings(text), None) or typed_by_strangers(script, text)
        if wrong is not None:
            return wrong[0].strip()[:80]
        return _first_danger(with_secrets(script, text, path), where)
    if _PACKAGE.search(path):
        return _first_danger(install_scripts(text), where)
    building = _BUILDING.search(path)
    if building and _REACHES_OUT.search(text):
        return _run_danger(f"{_INTERPRETERS[building[1]]} {shlex.quote(text)}", where)
    return planted_order(text, path) if is_planted_in(path) else ""


_TARGETED = lazy(r"\b(?:pull_request_target|workflow_run)\b")
"""Events of strangers for which a pipeline runs with the project's secrets."""
_STRANGER = lazy(
    r"ref:[^\n]{0,120}(?:head\.(?:sha|ref)|head_ref|head_sha|refs/pull/)|\bgh pr checkout\b"
    r"|\bgit (?:fetch|pull|checkout|switch)\b[^\n]{0,120}(?:\bpull/|head\.(?:sha|ref)|head_ref)"
)
_EVERYTHING = lazy(
    r"\btoJSON\(\s*secrets\s*\)|^[ \t]{0,40}permissions:[ \t]{0,20}write-all\b|^[ \t]{0,40}(?:-[ \t]{1,8})?(?:remote|include):[ \t]{0,20}['\"]?http://",
    re.IGNORECASE | re.MULTILINE,
)
_WITHIN = r"\$\{\{(?:[^}\n]|\}(?!\})){0,120}?\b"
_EVENT = r"github\W{1,4}event\W{1,4}"
"""However members are taken: by a point or in brackets."""
_TYPED = lazy(
    rf"{_WITHIN}{_EVENT}(?:(?:issue|comment|pull_request|review|review_comment|discussion)\W{{1,4}}(?:title|body)"
    r"|(?:workflow_run\W{1,4})?(?:head_commit|commits(?:\W{1,4}\d{1,3})?)\W{1,5}(?:message|author\W{1,4}(?:name|email)))\b",
    re.IGNORECASE,
)
"""What a stranger typed: put into a script before the shell reads it, it is script."""
_STARTED_BY_STRANGERS = lazy(
    r"\b(?:pull_request_target|workflow_run|issues|issue_comment|discussion|discussion_comment)\b"
)
_NAMED_BY_STRANGERS = lazy(
    rf"{_WITHIN}(?:github\W{{1,4}}head_ref|toJSON\(\s*{_EVENT.removesuffix('{1,4}')}|{_EVENT}"
    r"(?:pull_request\W{1,4}head\W{1,4}(?:ref|label)|workflow_run\W{1,4}head_branch)\b)",
    re.IGNORECASE,
)
"""Names of branches, which may be commands as well, and all of an event."""


def wrong_settings(text: str) -> Iterator[re.Match[str]]:
    """What is wrong with a pipeline whatever its steps do."""
    yield from strangers_code(text)
    yield from given_everything(text)


def strangers_code(text: str) -> Iterator[re.Match[str]]:
    """Where a pipeline that strangers start, with the project's secrets, takes what they wrote."""
    if _TARGETED.search(text):
        yield from _STRANGER.finditer(text)


def given_everything(text: str) -> Iterator[re.Match[str]]:
    """Where it hands all secrets or rights on, or takes a part of itself over a line that anybody may change."""
    yield from _EVERYTHING.finditer(text)


def typed_by_strangers(script: str, text: str) -> re.Match[str] | None:
    """Where a step takes what anybody may have typed for a part of itself; `text` is the whole pipeline."""
    named = _NAMED_BY_STRANGERS.search(script) if _STARTED_BY_STRANGERS.search(text) else None
    return _TYPED.search(script) or named


_SECRET = lazy(r"\$\{\{[^}\n]{0,40}?\bsecrets(?:\.(\w{1,80})|\[['\"](\w{1,80})['\"]\])[^}\n]{0,80}\}\}")
_FORGE_TOKEN = lazy(r"\$\{\{\s*github\.token\s*\}\}")
_EXPRESSION = lazy(r"\$\{\{([^}\n]{0,120})\}\}")
_GROOVY = lazy(r"\$\{env\.(\w{1,60})\}")
_MACRO = lazy(r"\$\(([A-Za-z]\w{0,60}(?:\.\w{1,60})?)\)")
_QUOTED = lazy(r"'([^'\n]{0,2000}?\$\{\{[^'\n]{0,2000})'")
_KEY_VARIABLE = lazy(
    r"\$(?:\{(\w{0,60}(?:DEPLOY|SSH|SIGNING|PRIVATE|GPG)_KEY)\}|(\w{0,60}(?:DEPLOY|SSH|SIGNING|PRIVATE|GPG)_KEY)\b)"
)
_NAMED = lazy(
    r"^[ \t]{0,80}(?:-[ \t]{1,8})?(\w{1,60})[ \t]{0,8}[:=][ \t]{0,8}(?:['\"]?\$\{\{[^}\n]{0,80}\bsecrets\b|credentials\(|(?:\n[ \t]{0,80})?\{?[ \t]{0,8}from_secret:)"
    r"|\b(?:variable|passwordVariable|usernameVariable|keyFileVariable|passphraseVariable):[ \t]{0,8}['\"](\w{1,60})",
    re.MULTILINE,
)


def with_secrets(script: str, text: str, path: str) -> str:
    """The script with the expressions of the build server as variables that say by their name what they are."""
    script = _QUOTED.sub(lambda match: f'"{match[1]}"', script)
    script = _SECRET.sub(lambda match: f"${{SECRET_{match[1] or match[2]}}}", script)
    script = _FORGE_TOKEN.sub("${GITHUB_TOKEN}", script)
    script = _EXPRESSION.sub("${EXPRESSION}", script)
    script = _GROOVY.sub(r"${\1}", script)
    if "azure" in path:
        script = _MACRO.sub(lambda match: f"${{{match[1].replace('.', '_')}}}", script)
    script = _KEY_VARIABLE.sub(r"${SECRET_\1\2}", script)
    names = {match[1] or match[2] for match in _NAMED.finditer(text)}
    if not names:
        return script
    choice = "|".join(sorted(names)[:50])
    return re.sub(rf"\$(?:\{{({choice})\}}|({choice})\b)", r"${SECRET_\1\2}", script)


def _first_danger(script: str, where: Surroundings) -> str:
    """The first command that no build has to run. All are read together, then each by itself, since one line
    that is no shell text would hide the others."""
    disguised = _DISGUISED.search(script)
    if disguised:
        return disguised[0][:80]
    lines = [line for line in script.split("\n") if _SUSPECT.search(line)][:_MOST_LINES]
    for line in lines:
        if posted_astray(line):
            return line[:80]
    windows = (f"pwsh -c {shlex.quote(line)}" for line in lines if _POWERSHELL.search(line))
    texts = (script, *(lines if "\n" in script else ()), *windows)
    return next(filter(None, (_run_danger(text, where) for text in texts)), "")


def _run_danger(script: str, where: Surroundings) -> str:
    read = read_script(script, cwd=where.root, home=where.home, environment={"HOME": where.home})
    found = next(leaking_commands(read, effects_of(read, where), where), None)
    return "" if found is None else shown(found)[:80] or "a command"


def leaking_commands(read: Script, effects: Iterable[Effect], where: Surroundings) -> Iterator[Command]:
    """Those that no build has to run; the effects are looked at last, one by one."""
    yield from filter(sent_astray, read.commands)
    kept = kept_and_sent(read.commands)
    if kept is not None:
        yield kept
    for effect in effects:
        if _is_danger(effect, read, where):
            yield effect.command


def _is_everyday(effect: Effect, script: Script) -> bool:
    """A build sends archives and news, writes settings, cleans up at its host, and shows its server."""
    if effect.name == "encoded":
        pipe = [command for command in script.commands if command.pipeline == effect.command.pipeline]
        return not any(command.name in _ENCODERS for command in pipe)
    if effect.name == "drop-site":
        addresses = list(filter(_ADDRESS.match, (word.text for word in effect.command.argv[1:])))
        return bool(addresses) and all(map(_NOTIFIED.match, addresses))
    if effect.action is Action.READ_SECRET:
        return any(">" in redirect.operator for redirect in effect.command.redirects)
    return effect.name == "host-delete" or (effect.name == "tunnel" and effect.command.name != "ssh")


def _is_open(command: Command) -> bool:
    """Whether it is told to fetch over a line on which anybody may change what comes."""
    return any("http://" in word.text for word in command.argv)


def _is_danger(effect: Effect, script: Script, where: Surroundings) -> bool:
    if effect.action is Action.CHANGE_PACKAGES:
        return effect.name in ("install-from-address", "source-change") and _is_open(effect.command)
    if effect.action is Action.DELETE:
        return effect.recursive and effect.target_place in (Place.ROOT, Place.HOME_ROOT)
    if _is_everyday(effect, script):
        return False
    scene = Scene(script, where, Inquiry())
    if not any(match.rule.id in _JUDGED for match in find_matches((effect,), _PACKS, scene)):
        return False
    if effect.action is Action.READ:
        return any(command.name in _TALKING for command in script.commands)
    return effect.name != "environment" or not secrets_in(effect.command)
