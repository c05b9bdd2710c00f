"""Lines that do the same as a foreign tool whose arguments say what, and whose name says with which program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fairlead.model.facts import PAGES, quoted
from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import given_of, words_of
from fairlead.packs.foreign.foreign_programs import FILLING, PROGRAMS
from fairlead.packs.foreign.given_texts import given_texts
from fairlead.packs.foreign.nested_commands import nested_commands
from fairlead.packs.foreign.tool_lines import alike_lines
from fairlead.shell.effects.words.lexicon.showing_verbs import READING_BY_TOOLS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.word_sets import names


def same_lines(call: ToolCall, where: Surroundings) -> Iterator[str]:
    lines = (
        _with_its_words(call, where),
        _typed_anywhere(call, where),
        _mounting(call),
        _deploying(call),
        _released(call),
        _scheduled(call),
        *_ended(call),
        *nested_commands(call, where),
        *alike_lines(call),
        *_as_programs(call),
    )
    yield from filter(None, lines)


_ENDED_BY = {
    "process": (
        "pkill -x",
        names("kill terminate end stop"),
        ("name", "process_name", "processName", "process"),
    ),
    "service": (
        "systemctl stop",
        names("stop disable mask kill"),
        ("service", "name", "service_name", "unit"),
    ),
}
"""What a tool for processes or services ends, as the line that does the same."""


def _ended(call: ToolCall) -> Iterator[str]:
    server, tool = words_of(call)
    given = given_of(call)
    for thing, (line, verbs, keys) in _ENDED_BY.items():
        if thing in (*server, *tool, f"{thing}es") and not verbs.isdisjoint(tool):
            yield from (f"{line} {quoted(name)}" for name in map(given.get, keys) if isinstance(name, str))
    if {"kill", "all"} <= set(tool) and not {"process", "processes"}.isdisjoint((*server, *tool)):
        yield "kill -9 -1"
    if not _POWER.isdisjoint(tool) and not _MACHINES.isdisjoint((*server, *tool)):
        yield "shutdown -h now"


_POWER = names("shutdown reboot poweroff halt")
_MACHINES = names("system os computer host machine desktop windows macos linux power mac pc")


def _as_programs(call: ToolCall) -> Iterator[str]:
    """Tools whose arguments are those of one program, under names of their own."""
    server, tool = words_of(call)
    given = given_of(call)
    known = {*server, *tool}
    if "ansible" in known and isinstance(given.get("module"), str):
        told = given.get("args", given.get("module_args", ""))
        yield f"ansible all -m {quoted(str(given['module']))} -a {quoted(str(told))}"
    yield from _of_windows(known, given)
    if not {"applescript", "osascript"}.isdisjoint(known):
        scripts = (each.text for each in given_texts(call) if each.key.endswith(_SCRIPTS))
        yield from (f"osascript -e {quoted(script)}" for script in scripts)
    for each in given_texts(call):
        recipe = "playbook" if "ansible" in known and each.key in _PLAYS else each.key.removesuffix("content")
        if "\n" in each.text and (line := _RECIPES.get(recipe)):
            yield f"{line} <<'FAIRLEAD'\n{each.text}\nFAIRLEAD\n"
    if not {"symlink", "link", "ln"}.isdisjoint(tool):
        aim, link = (next((given[k] for k in keys if isinstance(given.get(k), str)), "") for keys in _LINKED)
        if aim and link:
            yield f"ln -s {quoted(str(aim))} {quoted(str(link))}"
    if "aws" in known:
        yield from _of_aws(tool, given)


_WINDOWS = {
    "powershell": "pwsh -c",
    "pwsh": "pwsh -c",
    "cmd": "cmd /c",
    "cmdexe": "cmd /c",
    "windows": "pwsh -c",
}
_SHELLS = ("shell", "interpreter", "shell_type", "shellType")


def _of_windows(known: set[str], given: Mapping[str, object]) -> Iterator[str]:
    """What a shell of Windows is told, which reads paths and quotes in its own way."""
    stated = (str(given[key]).lower().removesuffix(".exe") for key in _SHELLS if key in given)
    line = next((_WINDOWS[word] for word in (*stated, *sorted(known)) if word in _WINDOWS), "")
    told = next((given[key] for key in ("command", "script", "code") if isinstance(given.get(key), str)), "")
    if line and told:
        yield f"{line} {quoted(str(told))}"


_SCRIPTS = ("script", "code", "snippet", "source", "text", "expression")
_PLAYS = names("inline playbook content yaml playbookcontent")
_RECIPES = {
    "playbook": "ansible-playbook /dev/stdin",
    "makefile": "make -f - all",
    "compose": "docker compose -f - up",
    "composefile": "docker compose -f - up",
    "composeyaml": "docker compose -f - up",
}
"""Files for a runner that stand in the call itself."""
_LINKED = (("target", "source", "src", "to_path"), ("link_path", "linkPath", "link", "path", "destination"))
_SERVICES = ("iam", "ec2", "s3api")
_ALL_SERVICES = names(
    "iam ec2 s3 s3api rds lambda ssm dynamodb kms sts cloudformation ecs eks ecr route53 sns sqs cloudtrail"
)
_LONGEST = 2000


def _of_aws(tool: list[str], given: Mapping[str, object]) -> Iterator[str]:
    """An operation of the interface, by its own name or by that of the tool, as the program spells it."""
    stated = next((given[k] for k in _OPERATIONS if isinstance(given.get(k), str)), "")
    service = next((given[k] for k in _SERVED if isinstance(given.get(k), str)), "")
    services = [service] if service else list(_SERVICES)
    words = [word.lower() for word in _CAPITALS.findall(str(stated))] or [w for w in tool if w != "aws"]
    if len(words) > 1 and words[0] in _ALL_SERVICES:
        services = ["s3api" if words[0] == "s3" else words[0]]
        words = words[1:]
    if not words or words[0] in READING_BY_TOOLS:
        return
    options = " ".join(quoted(f"--{key}={str(value)[:_LONGEST]}") for key, value in given.items())
    yield from (f"aws {quoted(str(service))} {'-'.join(words)} {options}" for service in services)


_OPERATIONS = ("operation", "action", "Action", "operation_name", "operationName", "api", "api_name")
_SERVED = ("service", "service_name", "serviceName")
_CAPITALS = lazy(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


_ENGINES = names("docker podman container containers nerdctl")
_HOST_SIDE = ("source", "src", "host", "hostPath", "host_path", "Source")
_INNER_SIDE = (
    "target",
    "destination",
    "dst",
    "container",
    "containerPath",
    "container_path",
    "mountPath",
    "Target",
)


def _mounting(call: ToolCall) -> str:
    """The line that mounts the same into a container: lists of texts, of objects, and objects by their path."""
    if _ENGINES.isdisjoint((*words_of(call)[0], *words_of(call)[1])):
        return ""
    given = given_of(call)
    held = [value for key, value in given.items() if isinstance(value, (list, dict)) and _MOUNTS.search(key)]
    deeper = given.get("HostConfig", given.get("host_config"))
    held += [deeper["Binds"]] if isinstance(deeper, dict) and isinstance(deeper.get("Binds"), list) else []
    pairs = [pair for each in held for pair in _mounts(each)]
    if not pairs:
        return ""
    ran = given.get("command", given.get("cmd", ""))
    words = [str(word) for word in ran] if isinstance(ran, list) else str(ran).split()
    options = [word for pair in pairs for word in ("-v", pair)]
    return " ".join(map(quoted, ("docker", "run", *options, "image", *words)))


_MOUNTS = lazy(r"volume|mount|bind", re.IGNORECASE)


def _mounts(held: list[object] | dict[str, object]) -> Iterator[str]:
    for each in held if isinstance(held, list) else ():
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            source, inner = (
                next((str(each[key]) for key in keys if isinstance(each.get(key), str)), "")
                for keys in (_HOST_SIDE, _INNER_SIDE)
            )
            if source:
                yield f"{source}:{inner or '/mnt'}"
    for path, place in held.items() if isinstance(held, dict) else ():
        bound = place.get("bind", "/mnt") if isinstance(place, dict) else place
        yield f"{path}:{bound}"


_TYPING = names("type keyboard typetext interact process repl")


def _typed_anywhere(call: ToolCall, where: Surroundings) -> str:
    """What is typed on a screen, where it begins as a command does; it may as well be a letter."""
    if _TYPING.isdisjoint((*words_of(call)[0], *words_of(call)[1])):
        return ""
    if re.search(PAGES, call.name, re.IGNORECASE):
        return ""
    typed = next((call.input[key] for key in ("text", "keys", "input") if key in call.input), None)
    first = typed.split(None, 1)[:1] if isinstance(typed, str) else []
    return str(typed) if first and where.programs.find(first[0]) is not None else ""


_EXTRA = ("args", "arguments", "argv", "extra_args", "extraArgs", "flags", "options", "params")


def _with_its_words(call: ToolCall, where: Surroundings) -> str:
    """`tar` with `{"args": ["xf", "a.tar"]}`: a program that the tool or its server is named after."""
    given = given_of(call)
    listed = next((words for words in map(given.get, _EXTRA) if isinstance(words, list) and words), None)
    if listed is None or not all(isinstance(word, str) for word in listed):
        return ""
    server, tool = words_of(call)
    program = next((word for word in (*tool, *server) if where.programs.find(word) is not None), "")
    path = given.get("path")
    first = [path] if isinstance(path, str) and path not in listed else []
    if program in PROGRAMS.values():
        first = [*(word for word in tool if word not in FILLING and word != program), *first]
    return " ".join((program, *map(quoted, (*first, *listed)))) if program else ""


_DEPLOYING = names("deploy deployment redeploy promote publish release")
_PRODUCTION = names("production prod live")


def _deploying(call: ToolCall) -> str:
    """A deployment to what others use, as the program does it that the server is named after."""
    server, tool = words_of(call)
    program = next((PROGRAMS[word] for word in server if word in PROGRAMS), "")
    if not program or _DEPLOYING.isdisjoint(tool) or tool[0] in ("list", "get"):
        return ""
    given = given_of(call)
    said = {str(value).lower() for value in given.values() if isinstance(value, str)}
    live = _PRODUCTION & {*said, *tool} or given.get("prod") is True or given.get("production") is True
    return f"{program} deploy --prod" if live else ""


_CODE_HOSTS = names("github gitlab gitea forgejo")


def _released(call: ToolCall) -> str:
    server, tool = words_of(call)
    released = {"create", "release"} <= set(tool) or {"publish", "release"} <= set(tool)
    return "gh release create v" if released and not _CODE_HOSTS.isdisjoint((*server, *tool)) else ""


def _scheduled(call: ToolCall) -> str:
    text = next((v for v in map(given_of(call).get, ("content", "entry", "job")) if isinstance(v, str)), "")
    return f"printf '%s\\n' {quoted(text)} | crontab -" if text and "crontab" in words_of(call)[0] else ""
