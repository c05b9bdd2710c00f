"""Foreign tools that stand for a program: `kubectl_scale`, `git_push`, a `run_gcloud_command` with its words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from fairlead.model.facts import quoted
from fairlead.model.tool_call import COMMAND_KEYS, ToolCall
from fairlead.packs.foreign.foreign_names import given_of, only_tries, words_of
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script
from fairlead.shell.script import Command, Stdin, Word
from fairlead.shell.word_sets import names

_SAME_NAME = names(
    """
    kubectl helm docker podman git terraform tofu terragrunt pulumi aws gcloud az gsutil bq heroku vercel netlify
    wrangler railway supabase firebase argocd flux vault nomad consul npm flyctl psql mysql rclone doctl hcloud
    prisma stripe
    """
)
PROGRAMS = {
    **{name: name for name in _SAME_NAME},
    **{
        "systemd": "systemctl",
        "systemctl": "systemctl",
        "launchd": "launchctl",
        "redis": "redis-cli",
        "kubernetes": "kubectl",
        "k8s": "kubectl",
        "fly": "flyctl",
        "azure": "az",
    },
}
_STATED = ("operation", "action", "subcommand", "subCommand", "mode")
_NAMED = ("resourceType", "resource_type", "resource", "kind", "name", "unit", "service")
"""What a program takes as plain words."""
_NAMING = names("kubectl helm docker podman flyctl argocd flux systemctl launchctl")
"""Programs whose plain words are no subcommands, whatever they read like."""
_LISTED = ("args", "arguments", "argv")
_FLAGS = ("flags", "options", "extra_args", "extraArgs")
_SETTING_OF_GIT = ("key", "value")
_WORDS_OF_GIT = names(
    "refspec revision commit ref branch branch_name branchName target remote tag tagName tag_name"
)
_PATHS_OF_GIT = ("files", "paths", "pathspec", "file_paths")
"""What git takes as plain words, and what it takes last."""
_LEFT_TO_OTHERS = (Action.READ, Action.LIST, Action.WRITE, Action.OVERWRITE, Action.RUN_UNKNOWN_CODE)
"""Paths of the call are judged by themselves; the rest is what a made-up line would say of every tool."""
_ABOUT_KEEPERS = names("policy policies status health mounts")
"""What a keeper of secrets tells without telling one."""
FILLING = names("cli tool mcp server manage")
_ENDING = names("kill terminate end stop")
_LONGEST = 2000


def run_by_name(call: ToolCall, cwd: str, where: Surroundings) -> Iterator[Effect]:
    """What the program would do that the tool stands for."""
    yield from _handed_over(call, cwd)
    for line in dict.fromkeys(_lines(call)):
        yield from run_line(line, cwd, where)
    from fairlead.packs.foreign.same_lines import same_lines

    for line in same_lines(call, where):
        yield from run_line(line, cwd, where, whole=True)


def run_line(line: str, cwd: str, where: Surroundings, *, whole: bool = False) -> Iterator[Effect]:
    """What a line would do that says the same; `whole`: also with paths, which no other reading has."""
    from fairlead.shell.effects.script_effects import effects_of  # only where there is a line

    script = read_script(line, cwd=cwd, home=where.home, environment={"HOME": where.home})
    for effect in effects_of(script, where):
        if (
            whole
            or effect.action not in _LEFT_TO_OTHERS
            or (effect.action is Action.READ and line.startswith("git "))
        ):
            yield effect.replace(command=Command((), cwd), what=line[:120])


def _handed_over(call: ToolCall, cwd: str) -> Iterator[Effect]:
    """A manifest in the input of a tool for clusters."""
    server, tool = words_of(call)
    if not any(PROGRAMS.get(word) == "kubectl" for word in (*server, *tool)):
        return
    for value in given_of(call).values():
        if isinstance(value, str) and "kind" in value:
            from fairlead.shell.effects.services.cluster_manifests import (
                manifest_effects,  # only where there is one
            )

            applied = Command((Word(call.name), Word("apply")), cwd, stdin=Stdin("text", text=value))
            for effect in manifest_effects(applied):
                yield effect.replace(command=Command((), cwd), what=call.name)


def _lines(call: ToolCall) -> Iterator[str]:
    server, tool = words_of(call)
    program = next((PROGRAMS[word] for word in (*tool, *server) if word in PROGRAMS), None)
    given = given_of(call)
    if isinstance(given.get("pid"), int) and not _ENDING.isdisjoint(tool):
        yield f"kill -9 {given['pid']}"
    if program is None or only_tries(given) or (program == "vault" and not _ABOUT_KEEPERS.isdisjoint(tool)):
        return
    named = [quoted(v) for v in map(given.get, _NAMED) if isinstance(v, str) and program in _NAMING]
    options = " ".join((*named, *_options(given)))
    stated = next((text for text in (given.get(key) for key in COMMAND_KEYS) if isinstance(text, str)), "")
    listed = next((words for words in (given.get(key) for key in _LISTED) if isinstance(words, list)), ())
    if not stated and not listed:
        listed = next((words for words in map(given.get, COMMAND_KEYS) if isinstance(words, list)), ())
    words = [quoted(word) for word in listed if isinstance(word, str)]
    words += [text for text in map(given.get, _LISTED) if isinstance(text, str)]
    words += [text for text in map(given.get, _FLAGS) if isinstance(text, str) and text.startswith("-")]
    if (stated or words) and not stated.startswith((f"{program} ", "/")) and len(stated) < _LONGEST:
        yield " ".join((program, stated, *words, options))
    rest = [word for word in tool if word not in FILLING and PROGRAMS.get(word) != program]
    rest = ["compose", *rest] if "compose" in server and "compose" not in rest else rest
    files = ""
    if program == "git":
        known = (*_WORDS_OF_GIT, *(_SETTING_OF_GIT if "config" in rest else ()))
        words += [quoted(v) for k, v in given.items() if k in known and isinstance(v, str)]
        rest = [rest[0], "--delete"] if rest[1:] == ["delete"] else rest
        if given.get("forcePush") is True or given.get("force_push") is True:
            yield "git push --force"
        if {"delete", "branch"} <= set(rest) and given.get("remote") is True:
            yield f"git push origin --delete {quoted(str(given.get('name', given.get('branch', ''))))}"
        files = _files_of_git(given)
    said = [quoted(value) for value in map(given.get, _STATED) if isinstance(value, str)]
    yield " ".join((program, *rest, *said, *words, options, files))
    if said:
        yield " ".join((program, *rest, *(f"--{word}" for word in said), *words, options, files))


def _files_of_git(given: Mapping[str, object]) -> str:
    listed = [files for files in map(given.get, _PATHS_OF_GIT) if isinstance(files, list)]
    words = [quoted(file) for files in listed for file in files if isinstance(file, str)]
    return " ".join(("--", *words)) if words else ""


def _dashes(key: str) -> str:
    return "--" if len(key) > 1 else "-"


def _options(given: Mapping[str, object]) -> Iterator[str]:
    for key, value in given.items():
        if value is True:
            yield "--volumes" if "volumes" in key.lower() else quoted(f"{_dashes(key)}{key}")
        elif (
            key not in (*_NAMED, *_STATED, *COMMAND_KEYS, *_WORDS_OF_GIT)
            and isinstance(value, (str, int))
            and value is not False
        ):
            joined = f"--{key}=" if len(key) > 1 else f"-{key} "
            yield joined + quoted(str(value)[:_LONGEST])
        elif isinstance(value, dict):
            yield quoted(f"--{key}={json.dumps(value)[:_LONGEST]}")
