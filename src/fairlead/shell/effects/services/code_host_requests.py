"""Requests to code hosts through their own clients: `gh api`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.program_effects import is_dry_run, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command

_API_VALUED = (
    "-X",
    "--method",
    "-H",
    "--header",
    "-f",
    "-F",
    "--field",
    "--raw-field",
    "--input",
    "-q",
    "--jq",
)


def read_code_host(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """A client of a code host: its subcommands, and the door through which any request can be made."""
    yield from known(command, where)
    yield from _api(command)
    yield from _api_files(command, where)


def _api_files(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`gh api … -F body=@FILE`."""
    given = read_arguments(command.argv[1:], valued=_API_VALUED)
    for word in (*given.values.get("-F", ()), *given.values.get("--field", ())):
        _, _, path = word.text.partition("=@")
        if path and path != "-":
            yield Effect(Action.READ, "gh", command, resolve(word.replace(text=path), command, where))


_ACCESS = lazy(
    r"/(?:keys|hooks|collaborators|invitations|transfer|dispatches|variables|secrets|deploy_keys|members|runners|memberships"
    r"|pending_deployments|rulesets|protection|environments|teams|outside_collaborators|permissions|cancel|force-cancel"
    r"|approve|access_tokens|protected_branches|vulnerability-alerts|installations|deployment_protection_rule|statuses|check-runs|deployments|pages)\b"
)


_MUTATION = lazy(
    r"\b(?:delete|archive|unarchive|transfer|disable|revoke|suspend)\w*|\bmerge(?:PullRequest|Branch)\b"
    r"|\bremove(?:Enterprise|Organization|Outside|Member)\w*"
    r"|\b(?:update|create)(?:BranchProtection|Repository|Organization|Enterprise|Ref|Environment|IpAllow|Deployment)\w*",
    re.IGNORECASE,
)
"""What a request in GraphQL takes away, opens or moves for everyone."""


_CONVERSATION = lazy(
    r"^/?repos/[^/]+/[^/]+/(?:(?:issues|pulls)/(?:comments/)?|milestones/)(?:\d+|\$\{?\w+\}?)/?$"
)
_TALK = lazy(
    r"^/?repos/[^/]+/[^/]+/(?:issues/(?:\d+|\$\{?\w+\}?)/labels|pulls/(?:\d+|\$\{?\w+\}?)/update-branch)/?$"
)
_SAID = lazy(
    r"^(?:title|body|description|due_on|milestone|labels(?:\[\])?|assignees(?:\[\])?|state|state_reason)="
)


def _is_conversation(method: str, path: str, given: Arguments) -> bool:
    """What `gh pr edit` and `gh issue close` do: other words in an issue, a request or a comment."""
    fields = [
        word for option in ("-f", "-F", "--field", "--raw-field") for word in given.values.get(option, ())
    ]
    said = all(_SAID.match(word.text) for word in fields) and not given.has("--input")
    if method == "PUT":
        return said and bool(_TALK.match(path))
    return method == "PATCH" and said and bool(fields) and bool(_CONVERSATION.match(path))


def _api(command: Command) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], valued=_API_VALUED)
    if not given.operands or given.operands[0].text != "api" or is_dry_run(given):
        return
    method = given.text("-X", "--method").upper()
    body = " ".join(
        word.text
        for option in ("-f", "-F", "--field", "--raw-field")
        for word in given.values.get(option, ())
    )
    if method == "DELETE" or ("mutation" in body and _MUTATION.search(body)):
        yield Effect(Action.CHANGE_CI, "api-delete", command, what=shown(command))
        return
    path = given.operands[1].text if len(given.operands) > 1 else ""
    changes = method not in ("", "GET", "HEAD") or (body and not method)
    posts_access = changes and _ACCESS.search(path)
    if (method in ("PUT", "PATCH") and not _is_conversation(method, path, given)) or posts_access:
        yield Effect(Action.CHANGE_CI, "api-change", command, what=shown(command))
