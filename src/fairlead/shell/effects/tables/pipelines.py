"""Other code hosts, build servers and deployers."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action, EffectReader
from fairlead.shell.effects.subcommand_tables import Danger, grouped_readers

_GONE = "delete-repository"
_ACCESS = "change-access"
_CHANGED = "change-repository"

_HOSTS: dict[str, tuple[Danger, ...]] = {
    "fj forgejo-cli": (
        Danger("** delete|rm|remove", _GONE),
        Danger("** archive|transfer|rename|unprotect", _CHANGED),
    ),
    "forgejo gitea": (
        Danger("** delete|delete-*|must-change-password", _GONE),
        Danger("admin user create|change-password|generate-access-token", _ACCESS),
        Danger("admin auth add-*|update-*", _ACCESS),
        Danger("admin regenerate|sendmail", _ACCESS),
        Danger("migrate-storage|restore-repo|restore", _CHANGED),
    ),
    "tea": (
        Danger("** delete|rm", _GONE),
        Danger("branches|branch unprotect|protect", _CHANGED),
        Danger("webhooks|webhook create|update", _ACCESS),
    ),
    "gitlab-rails gitlab-rake gitlab-backup": (
        Danger("runner|console|dbconsole|restore", _CHANGED),
        Danger("gitlab:backup:restore|gitlab:setup|gitlab:cleanup:*|gitlab:*reset*", _GONE),
    ),
}
_SERVERS: dict[str, tuple[Danger, ...]] = {
    "bk": (
        Danger("** delete|remove", _GONE),
        Danger("build cancel", _CHANGED),
        Danger("agent stop", "disable-workflow"),
    ),
    "buildkite-agent": (
        Danger("secret get", "read-secret", action=Action.READ_SECRET),
        Danger("stop|pause", "disable-workflow"),
        Danger("start", _ACCESS, needs=("--token",)),
        Danger("pipeline upload", _CHANGED, needs=("--replace",)),
        Danger("redactor add", _CHANGED),
    ),
    "woodpecker-cli": (
        Danger("** rm|remove|delete|disable|purge", _GONE),
        Danger("build|pipeline|deploy promote|rollback|stop|kill|decline|approve", _CHANGED),
        Danger("repo update|chown|repair", _CHANGED),
        Danger("deploy", "deploy"),
        Danger("secret|orgsecret add|update", "change-secret"),
    ),
    "argo": (
        Danger("delete|terminate|stop|suspend", _GONE),
        Danger("cron|archive|template|cluster-template delete|suspend", _GONE),
    ),
    "spin": (
        Danger("** delete", _GONE),
        Danger("** execute|save|cancel", _CHANGED),
    ),
    "hal": (Danger("** delete|clean|rollback|disable", _GONE), Danger("deploy apply", "deploy")),
    "sem": (
        Danger("delete", _GONE),
        Danger("stop|rebuild", _CHANGED),
        Danger("apply|edit|create secret*", "change-secret"),
    ),
    "codefresh": (
        Danger("delete|terminate", _GONE),
        Danger("run *prod*", "deploy"),
        Danger("replace|patch", _CHANGED),
    ),
    "octopus octo": (
        Danger("delete-*", _GONE),
        Danger("** delete|disable", _GONE),
        Danger("release deploy|promote", "deploy"),
        Danger("deploy-release|promote-release", "deploy"),
    ),
    "config.sh": (
        Danger("remove", _CHANGED, needs=("--token", "--pat")),
        Danger("", _ACCESS, needs=("--token", "--pat")),
    ),
    "sentry-cli": (
        Danger("** delete|delete-*|archive", "delete-release"),
        Danger("issues resolve|mute|unresolve", _CHANGED, needs=("--all", "-a")),
    ),
    "ldcli": (
        Danger("** delete", _GONE),
        Danger("flags toggle-on|toggle-off|update|archive", "deploy"),
    ),
}
_DEPLOYERS: dict[str, tuple[Danger, ...]] = {
    "dep shipit capistrano mina": (
        Danger("deploy*|rollback* prod*", "deploy"),
        Danger("prod* *", "deploy"),
    ),
    "waypoint": (Danger("** destroy|delete|uninstall", _GONE), Danger("up|deploy|release", "deploy")),
    "werf": (Danger("dismiss|purge|cleanup", _GONE), Danger("host purge|cleanup", _CHANGED)),
    "vela": (
        Danger("delete|uninstall", _GONE),
        Danger("** delete|disable|uninstall", _GONE),
    ),
}

TABLE: dict[str, EffectReader] = {
    **grouped_readers(Action.CHANGE_CI, _HOSTS),
    **grouped_readers(Action.CHANGE_CI, _SERVERS),
    **grouped_readers(Action.CHANGE_CI, _DEPLOYERS),
}
