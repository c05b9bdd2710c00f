"""Code hosts, pipelines and deployments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommand_tables import Danger, is_dry_run, shown, subcommand_reader
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Surroundings, resolve
from fairlead.shell.script import Command

_GH = (
    Danger("alias set * !*|-", "command-setting", action=Action.CHANGE_GUARD),
    Danger("alias set", "command-setting", needs=("--shell", "-s"), action=Action.CHANGE_GUARD),
    Danger("alias import", "command-setting", action=Action.CHANGE_GUARD),
    Danger("repo delete", "delete-repository"),
    Danger("repo archive|unarchive|rename|transfer", "change-repository"),
    Danger("repo edit", "change-visibility", needs=("--visibility",)),
    Danger(
        "repo edit",
        "change-repository",
        needs=(
            "--default-branch",
            "--enable-secret-scanning",
            "--enable-secret-scanning-push-protection",
            "--enable-advanced-security",
            "--allow-forking",
        ),
    ),
    Danger("repo autolink delete", "change-repository"),
    Danger("cache delete", "delete-release"),
    Danger("release edit", "delete-release", needs=("--draft",)),
    Danger("release upload", "delete-release", needs=("--clobber",)),
    Danger("repo create", "change-visibility", needs=("--public",)),
    Danger("variable set", "change-secret"),
    Danger("issue transfer", "change-repository"),
    Danger("project item-delete|field-delete|close", "delete-release"),
    Danger("auth logout", "change-access"),
    Danger("extension install", "change-access"),
    Danger("webhook forward", "change-access"),
    Danger("run cancel", "change-repository", needs=("--force",)),
    Danger("alias set", "change-repository", needs=("-s", "--shell")),
    Danger("project|org|team delete", "delete-repository"),
    Danger("release delete|delete-asset", "delete-release"),
    Danger("issue|label|gist|milestone delete", "delete-release"),
    Danger("secret|variable delete|remove", "delete-secret"),
    Danger("workflow disable", "disable-workflow"),
    Danger("secret set", "change-secret"),
    Danger("ssh-key|gpg-key|deploy-key delete|add", "change-access"),
    Danger("repo deploy-key delete|add", "change-access"),
    Danger("workflow disable", "disable-workflow"),
    Danger("run delete", "delete-release"),
    Danger("pr merge", "merge-past-checks", needs=("--admin",)),
    Danger("auth token", "read-secret", action=Action.READ_SECRET),
    Danger("auth git-credential get", "read-secret", action=Action.READ_SECRET),
    Danger("auth status", "read-secret", needs=("-t", "--show-token"), action=Action.READ_SECRET),
    Danger("auth refresh|setup-git", "change-access", needs=("-s", "--scopes")),
    Danger("gist create", "publish-gist", action=Action.SEND_DATA),
    Danger("ruleset|rulesets delete", "change-repository"),
    Danger("repo sync", "change-repository", needs=("--force",)),
    Danger("pr close", "change-repository", needs=("-d", "--delete-branch")),
    Danger("codespace delete", "delete-release"),
)
_gh_known = subcommand_reader(
    Action.CHANGE_CI, _GH, valued=("-R", "--repo", "-b", "--body", "-t", "--title", "-F")
)
_glab_known = subcommand_reader(
    Action.CHANGE_CI,
    (
        Danger("repo|project delete", "delete-repository"),
        Danger("release|label delete", "delete-release"),
        Danger("variable delete", "delete-secret"),
        Danger("auth status", "read-secret", needs=("-t", "--show-token"), action=Action.READ_SECRET),
        Danger("config get token|*token*", "read-secret", action=Action.READ_SECRET),
        Danger("variable get|export", "read-secret", action=Action.READ_SECRET),
        Danger("** delete|remove", "delete-release"),
        Danger("repo|project archive|transfer", "change-repository"),
        Danger("variable set|update", "change-secret"),
        Danger("ci|pipe|pipeline delete|cancel|trigger", "delete-release"),
        Danger("ci|pipe|pipeline run", "deploy", needs=("--variables", "--variables-env")),
        Danger("ssh-key|deploy-key|gpg-key|token add|create|rotate|revoke", "change-access"),
        Danger("snippet create", "publish-gist", action=Action.SEND_DATA),
    ),
)
_hub_known = subcommand_reader(
    Action.CHANGE_CI, (Danger("delete", "delete-repository"), Danger("release delete", "delete-release"))
)
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


def _with_api(known: EffectReader) -> EffectReader:
    """A client of a code host: its subcommands, and the door through which any request can be made."""

    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        yield from known(command, where)
        yield from _api(command)
        yield from _api_files(command, where)

    return read


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
    if method in ("PUT", "PATCH") or posts_access:
        yield Effect(Action.CHANGE_CI, "api-change", command, what=shown(command))


_PRODUCTION = ("--prod", "--production", "-p")
_OTHER: dict[str, tuple[Danger, ...]] = {
    "jenkins-cli": (
        Danger("delete-*", "delete-repository"),
        Danger("*shutdown|quiet-down|*restart|offline-node|disconnect-node|disable-*", "disable-workflow"),
        Danger("update-*|create-credentials*|create-node|import-*|set-*|cancel-*", "change-repository"),
        Danger("groovy|groovysh|reload-*|install-plugin|disable-plugin", "change-repository"),
    ),
    "circleci": (
        Danger("** delete*|remove*|unlist", "delete-secret"),
        Danger("** store-secret", "change-secret"),
        Danger("orb publish", "deploy"),
        Danger("policy push|settings", "change-repository"),
    ),
    "gitlab-runner": (
        Danger("unregister|uninstall|stop|register|install|start|run|run-single", "change-repository"),
    ),
    "jenkins-jobs": (Danger("delete|delete-all|update", "change-repository"),),
    "svc.sh": (Danger("install|uninstall|start|stop", "change-repository"),),
    "pre-commit": (Danger("uninstall", "change-repository"),),
    "lefthook": (Danger("uninstall", "change-repository"),),
    "husky": (Danger("uninstall", "change-repository"),),
    "travis": (
        Danger("env unset|clear", "delete-secret"),
        Danger("disable|cancel", "disable-workflow"),
        Danger("cache|sshkey", "delete-release", needs=("--delete", "-d", "-D", "--upload", "-u")),
        Danger("settings", "change-repository", needs=("--disable", "--enable", "--set")),
        Danger("token", "read-secret", action=Action.READ_SECRET),
    ),
    "cap": (Danger("production *", "deploy"), Danger("prod *", "deploy")),
    "kamal": (
        Danger("remove", "delete-repository"),
        Danger("** remove|stop", "delete-repository"),
        Danger("deploy|redeploy|rollback", "deploy"),
    ),
}

TABLE: dict[str, EffectReader] = {
    "gh": _with_api(_gh_known),
    "glab": _with_api(_glab_known),
    "hub": _with_api(_hub_known),
    **{
        name: subcommand_reader(Action.CHANGE_CI, table, valued=("-s", "-auth"))
        for name, table in _OTHER.items()
    },
}
