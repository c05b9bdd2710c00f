"""What a foreign tool changes at a code host: where branches point, who may do what, who can see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import given_of, only_tries, words_of
from fairlead.packs.foreign.given_texts import given_texts
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.words.command_shapes import access
from fairlead.shell.effects.words.lexicon.losing_verbs import GONE_AT_HOSTS
from fairlead.shell.effects.words.lexicon.showing_verbs import READING_BY_TOOLS
from fairlead.shell.effects.words.unlisted_programs import Told
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_HOSTS = names("github gitlab bitbucket gitea forgejo azure ado circleci jenkins buildkite")
_FILLING = names("mcp server tool")
"""What some clients put before a tool's own name, beside that of the host."""
_REFS = names("branch branches ref refs reference tag tags release releases job jobs")
_HANDED_OVER = names("transfer archive rename")
_MOVING = names("push ref reference branch")
_OPENING = names("update edit set create change put modify")
_VISIBLE = names("repository repo project bucket gist database share site app")
_ANYONE = names("anyone public anyonewithlink everyone anyone_with_link world")
_SHARING = names("share sharing permission permissions acl")
_MAIL_RULES = names("filter filters rule rules forwarding")
"""Whatever comes in from now on can be sent on by them."""
_OPENED = {"visibility": "public", "private": False, "public": True, "is_public": True, "acl": "public-read"}


def changed_at_host(call: ToolCall, cwd: str) -> Iterator[Effect]:
    server, named = words_of(call)
    given = given_of(call)
    at_host = not _HOSTS.isdisjoint((*server, *named))
    tool = [word for word in named if word not in _HOSTS and word not in _FILLING]
    if not tool or only_tries(given):
        return
    command = Command((), cwd)
    handed = _HANDED_OVER & set(tool) and _VISIBLE & set(tool)
    if at_host and ((GONE_AT_HOSTS & set(tool) and _REFS & set(tool)) or handed):
        yield Effect(Action.CHANGE_CI, "change-repository", command, what=call.name)
    if at_host and given.get("force") is True and _MOVING & set(tool):
        yield Effect(Action.REWRITE_HISTORY, "push-force", command, what=f"{call.name} force")
    if tool[0] in _OPENING and _VISIBLE & set(tool) and _opens(given):
        yield Effect(Action.CHANGE_CI, "change-access", command, what=call.name)
    if (
        _SHARING & set(tool)
        and tool[0] not in READING_BY_TOOLS
        and _ANYONE & {str(value).lower() for value in given.values()}
    ):
        yield Effect(Action.CHANGE_CI, "change-access", command, what=call.name)
    if not _MAIL_RULES.isdisjoint(tool) and any(each.key.startswith("forward") for each in given_texts(call)):
        yield Effect(Action.SEND_DATA, "upload", command, what=call.name)
    if len(tool) > 1 and _gives_access(server, tool, at_host=at_host):
        yield Effect(Action.CHANGE_CI, "change-access", command, what=call.name)


def _gives_access(server: list[str], tool: list[str], *, at_host: bool) -> bool:
    """`add_deploy_key`, `update_branch_protection`: its verb with its last noun, or with all of them."""
    name = "-".join(server) or "tool"
    lines = ((name, tool[0], noun) for noun in (tool[-1], "-".join(tool[1:])))
    return any(access(Told(Command(tuple(map(Word, line)), "")), at_host=at_host) for line in lines)


def _opens(given: Mapping[str, object]) -> bool:
    return any(key in given and given[key] == value for key, value in _OPENED.items())
