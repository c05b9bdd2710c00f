"""Whether a command that reads a file of secrets shows nothing of it: it counts, tests, or keeps a copy."""

from __future__ import annotations

import os.path
import re

from fairlead.packs.places.secret_files.used_secrets import command_around, goes_nowhere
from fairlead.packs.places.secret_paths import is_secret
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

VARIABLES = lazy(r"/(?:\.env(?:[._-][\w.-]+)?|\.envrc|[\w.-]+\.env)$")
"""Files of variables, whose names are no secrets."""
EXAMPLES = (".example", ".sample", ".template", ".dist", ".defaults", "-example", "-sample", ".tmpl")
_PRINTING = names("grep egrep fgrep rg cat head tail")
"""They write to their output, and to nothing else."""
_SEARCHING = names("grep egrep fgrep rg")
"""They tell by their exit code, too, whether there is something."""
_TRACING = lazy(
    r"\bset\s+(?:-\w+\s+)*-\w*[xv]|xtrace|verbose|\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*[xv]|BASH_XTRACEFD|\bDEBUG\b"
)
_SERVED = lazy(
    r"/(?:public|public_html|static|www|htdocs|html|dist|build|out|docs?|assets|_site|site|web|wwwroot|uploads|share)/",
    re.IGNORECASE,
)
_KEY = lazy(r"\.(?:pem|key|crt|cer|ca-bundle)$", re.IGNORECASE)


def traces(scene: Scene) -> bool:
    """Whether the shell itself prints what it runs, with all values."""
    return bool(_TRACING.search(scene.script.text))


def stays_unshown(effect: Effect, scene: Scene) -> bool:
    if effect.target is None or traces(scene):
        return False
    command, variables = effect.command, bool(VARIABLES.search(effect.target.path))
    if command.name in _PRINTING:
        return (
            (variables and command.name in _SEARCHING and goes_nowhere(command))
            or _is_counted(command, scene)
            or _is_tested(command, scene)
            or _joins_keys(command, scene)
        )
    return (variables or bool(_KEY.search(effect.target.path))) and keeps_copy(command, scene)


def _is_counted(command: Command, scene: Scene) -> bool:
    """`grep KEY .env | wc -l`."""
    after = [
        other
        for other in scene.script.commands
        if other.pipeline == command.pipeline and other.position > command.position
    ]
    words = [word.text for other in after for word in other.argv[1:]]
    return (
        bool(after)
        and not command.redirects
        and all(other.name == "wc" and not other.redirects for other in after)
        and all(re.fullmatch(r"-[lcmw]+", text) for text in words)
    )


def _is_tested(command: Command, scene: Scene) -> bool:
    """`[ -n "$(grep KEY= .env)" ]`: only whether there is something comes out."""
    if command.via != ("$()",) or command.redirects or command.position:
        return False
    if any(c.pipeline == command.pipeline and c is not command for c in scene.script.commands):
        return False
    around = command_around(command, scene.script.commands)
    if around is None:
        return _in_brackets(command, scene.script.text)
    texts = [word.text for word in around.argv]
    if around.name == "[":
        texts = texts[:-1]
    return around.name in ("test", "[") and len(texts) == 3 and texts[1] in ("-n", "-z")


_BEFORE = lazy(
    r"(?:^|[;&|\n({]|\b(?:if|while|until|then|do|else|elif)\s)\s*(?:!\s+)?\[\[\s+(?:!\s+)?-[nz]\s+$"
)
_BEHIND = lazy(r'^\s*\)"?\s+\]\]')


def _in_brackets(command: Command, text: str) -> bool:
    """`[[ -n $(…) ]]` is no command. Behind any quote, what looks like it may be text."""
    source = text.encode()
    before = source[: command.start].decode("utf-8", "replace")
    behind = source[command.end :].decode("utf-8", "replace")
    opened = re.search(r'"?\$\(\s*$', before)
    if opened is None:
        return False
    before = before[: opened.start()]
    return not re.search("[\"'`\\\\]", before) and bool(_BEFORE.search(before) and _BEHIND.search(behind))


def keeps_copy(command: Command, scene: Scene) -> bool:
    """`cp ../.env .env`, `ln -s ../main/.env .env`: a copy of the same name for another work tree, where
    nothing is replaced and nothing is served."""
    if command.name not in ("cp", "ln") or command.redirects or command.wrappers:
        return False
    words = [word for word in command.argv[1:] if not word.text.startswith("-")]
    if len(words) != 2 or not all(word.known and not word.glob for word in words):
        return False
    options = {word.text for word in command.argv[1:]} - {word.text for word in words}
    if not options <= ({"-s", "-n", "-p", "-a", "-v", "-i"} if command.name == "cp" else {"-s", "-v"}):
        return False
    source, destination = (absolute(word.text, command.cwd) for word in words)
    if source is None or destination is None:
        return False
    if os.path.isdir(destination) or words[1].text.endswith(("/", "/.", "..")) or words[1].text == ".":
        destination = os.path.join(destination, os.path.basename(source))
    if _KEY.search(source):
        inside = all(path.startswith(f"{scene.where.project}/") for path in (source, destination))
        return inside and command.name == "cp" and _is_safe_place(destination, source, scene)
    variables = VARIABLES.search(source) and VARIABLES.search(destination)
    return bool(variables) and _is_safe_place(destination, source, scene)


def _is_safe_place(destination: str, source: str, scene: Scene) -> bool:
    above = os.path.dirname(scene.where.project.rstrip("/")) if scene.where.project else ""
    return (
        above not in ("", "/")
        and os.path.basename(destination) == os.path.basename(source)
        and all(path.startswith(f"{above}/") for path in (source, destination))
        and is_secret(destination)
        and not _SERVED.search(destination[len(above) :])
        and os.path.isdir(scene.where.project)
        and not os.path.lexists(destination)
    )


def _joins_keys(command: Command, scene: Scene) -> bool:
    """`cat a.crt a.key > a.pem`: into a new file of keys, in the same folder."""
    if command.name != "cat" or len(command.redirects) != 1 or command.cwd is None:
        return False
    (redirect,) = command.redirects
    words = (*command.argv[1:], redirect.target)
    if redirect.operator != ">" or redirect.descriptor not in (None, 1):
        return False
    if not all(word.known and not word.glob and _KEY.search(word.text) for word in words):
        return False
    paths = [absolute(word.text, command.cwd) or "" for word in words]
    folders = {os.path.dirname(path) for path in paths}
    inside = scene.where.project and all(path.startswith(f"{scene.where.project}/") for path in paths)
    return bool(inside) and len(folders) == 1 and not os.path.lexists(paths[-1])


def is_new_copy(effect: Effect, scene: Scene) -> bool:
    """Whether what is written is such a copy."""
    command = effect.command
    return not traces(scene) and (keeps_copy(command, scene) or _joins_keys(command, scene))


def is_copied_example(effect: Effect, scene: Scene) -> bool:
    """`cp .env.example .env.test && sed -i … .env.test`."""
    if effect.target is None or os.path.lexists(effect.target.path):
        return False
    copies = [
        c for c in scene.script.commands if c.name == "cp" and c.start < effect.start and len(c.argv) == 3
    ]
    return any(
        c.argv[1].text.endswith(EXAMPLES) and absolute(c.argv[2].text, c.cwd) == effect.target.path
        for c in copies
    )
