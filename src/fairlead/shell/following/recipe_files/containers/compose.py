"""Services of a compose file that could reach the machine: what runs in a container stays there, unless the
machine's own files or rights are handed to a command that somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import (
    Table,
    field,
    line_of,
    named_tables,
    table,
    tables_of,
    text_of,
    texts_of,
)
from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.running import INTERPRETS, SHELLS
from fairlead.shell.script import program_name
from fairlead.shell.word_sets import names

_NAMES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
_OVERRIDES = tuple(name.replace(".y", ".override.y") for name in _NAMES)
_STARTING = ("up", "run", "start", "create", "restart", "watch")
_HOST = lazy(
    r"(?:/|~|\$HOME|\$\{HOME\}|/home(?:/[\w.-]+)?|/Users(?:/[\w.-]+)?|/root|/etc|/boot|/proc|/sys|/dev|/usr|/var|/lib|/bin"
    r"|[^:]*/(?:docker|containerd|podman|crio)\.sock)/?(?::|\Z)"
)
"""What gives a container the machine itself."""
_SENDING = lazy(r"\b(?:curl|wget|nc|ncat|netcat|socat|scp|rsync|sftp|ftp|telnet|openssl)\b|/dev/tcp/")
_ESCAPED = lazy(r'["`\\]|\$\(')
_MOST_SERVICES = 50
_TOLD = names(
    """
    docker chroot nsenter env curl wget busybox
    rm rmdir mv cp ln dd tee sed find chmod chown shred truncate tar rsync scp
    """
)
"""Programs that do to files, or run, whatever they are told."""


def read_compose(project: Project) -> Iterator[Step]:
    words = list(project.operands)
    if not project.name.endswith("compose"):
        if not words or words[0].text != "compose":
            return
        words = words[1:]
    if not words or words[0].text not in _STARTING:
        return
    files = list(project.named_files())
    if not project.is_told_a_file():
        files = [file for names in (_NAMES, _OVERRIDES) if (file := project.nearest(names)) is not None]
    wanted = [word.text for word in words[1:]] if all(word.known for word in words[1:]) else []
    for file in [*files, *_included(project, files)]:
        services = dict(list(named_tables(table(yaml_value(file.text), "services")))[:_MOST_SERVICES])
        for name in _needed(services, wanted[:1] if words[0].text == "run" else wanted):
            given = _given_command(project, name) if words[0].text == "run" else ""
            yield from _service(file, name, services[name], given)


def _included(project: Project, files: list[File]) -> Iterator[File]:
    """Files that a compose file takes in, and those that have services which it builds on."""
    for file in files:
        value = yaml_value(file.text)
        told = field(value, "include")
        paths = [*texts_of(told), *(text for each in tables_of(told) for text in texts_of(each.get("path")))]
        services = [service for _, service in named_tables(table(value, "services"))]
        paths += [text_of(field(service, "extends", "file")) for service in services]
        for path in dict.fromkeys(filter(None, paths[:_MOST_SERVICES])):
            found = project.file(f"{file.folder}/{path}")
            if found is not None:
                yield found


def _given_command(project: Project, service: str) -> str:
    """What `run` is told to run instead, which stands behind the name of the service."""
    texts = [word.text for word in project.words]
    rest = project.words[texts.index(service) + 1 :] if service in texts else []
    return " ".join(project.source(word) if word.opaque else quote(word.text) for word in rest)


def _needed(services: dict[str, Table], wanted: list[str]) -> list[str]:
    """Those that are named with those that they need; all, where none is."""
    waiting = [name for name in wanted if name in services] or list(services)
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop()
        if name in services and name not in found:
            found[name] = None
            needs = services[name].get("depends_on")
            waiting += texts_of(needs) or list(table(needs))
    return [name for name in services if name in found]


def _service(file: File, name: str, service: Table, given: str) -> Iterator[Step]:
    command = given or " ".join(_words(service.get("command")))
    entry = _words(service.get("entrypoint"))
    first = split_arguments(entry[0])[:1] if entry else split_arguments(command)[:1]
    options = list(_options(service, sends=_SENDING.search(f"{' '.join(entry)} {command}") is not None))
    if not options or not first or not _runs_text(first[0]):
        return
    entering = f"--entrypoint {entry[0]} " if entry else ""
    rest = " ".join([*entry[1:], command]).strip()
    yield Step(
        f"docker run {' '.join(options)} {entering}image {rest}",
        f"compose {name}",
        folder=file.folder,
        path=file.path,
        line=line_of(file.text, f"{name}:"),
    )


def _runs_text(program: str) -> bool:
    """Whether it runs what it is told, and not one thing alone."""
    name = program_name(program)
    return name in SHELLS or name in INTERPRETS or name in _TOLD


def _options(service: Table, *, sends: bool) -> Iterator[str]:
    """What the service has of the machine, as options of `docker run`: all of it, its home or its rights; a
    single folder counts for a command that `sends`."""
    if service.get("privileged") == "true":
        yield "--privileged"
    for key in ("pid", "userns_mode"):
        if service.get(key) == "host":
            yield f"--{key.partition('_')[0]}=host"
    for right in texts_of(service.get("cap_add")):
        yield f"--cap-add={quote(right)}"
    volumes = service.get("volumes")
    for volume in volumes if isinstance(volumes, list) else ():
        text = text_of(volume)
        if isinstance(volume, dict) and volume.get("type", "bind") == "bind":
            text = f"{text_of(volume.get('source'))}:{text_of(volume.get('target'))}"
        if _HOST.match(text) or (sends and text[:1] in ("/", "~", "$")):
            yield f"-v {_word(text)}"


def _words(value: object) -> list[str]:
    """A command as words for a shell, in which nothing but variables is replaced."""
    return [_word(text) for text in (split_arguments(value) if isinstance(value, str) else texts_of(value))]


def _word(text: str) -> str:
    if text.startswith("~/") or text == "~":
        text = f"$HOME{text[1:]}"
    if "$" not in text:
        return quote(text)
    escaped = _ESCAPED.sub(lambda match: f"\\{match[0]}", text)
    return '"' + re.sub(r"\$\$", r"\\$", escaped) + '"'
