"""Hosts, smaller clouds and stores: which of their subcommands lose, open or show something."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.subcommand_tables import Danger
from fairlead.shell.word_sets import names

_SECRET = Action.READ_SECRET

_SMALL_CLOUDS = names(
    """
    vultr-cli pscale planetscale turso neonctl neon exo civo upctl linode ovhcloud cloudfoundry koyeb render
    scalingo clever zeabur northflank mongocli atlascli stripe twilio algolia auth0 okta vultr databricks
    confluent dokku platform upsun cinder nova swift glance neutron yc tccli gridscale caprover scalr
    firebase-tools kamatera metal equinix porter qovery aptible zappa bosh
    chalice arc claudia maas cf7 cf8 mcli gigalixir nanobox okteto coolify
    """
)
_LOSING_VERBS = (
    Danger(
        "** delete|destroy|remove|cancel|clear|terminate|purge|rm|uninstall"
        "|*:remove|*:delete|*:destroy|*:clear",
        "delete",
    ),
    Danger("** permanent-delete|hard-delete|bulk-delete|batch-delete|delete-all|force-delete", "delete"),
    Danger("delete*|destroy*|terminate*|remove-*|kill-*|undeploy|unprovision", "delete"),
    Danger("* delete*|destroy*|terminate*", "delete"),
)
"""What small clouds have in common: the verb stands at the end of a path, or begins a word of its own."""
_DISTURBING_VERBS = Danger(
    "** stop|shutdown|poweroff|power-off|power_off|halt|reboot|rebuild|reinstall|rollback|suspend|pause"
    "|failover|unset|restore|reset|rescue|detach|deallocate|disable|revoke|*:stop|*:pause|*:restore|*:rollback|*:unset"
    "|*-stop|*-reboot|*-restore|*-detach",
    "disturb",
)
"""What they have in common that loses nothing for good, and still takes away what runs."""
PLATFORMS: dict[str, tuple[Danger, ...]] = {
    "cdk": (Danger("destroy", "destroy"), Danger("deploy", "apply")),
    "cdktf": (Danger("destroy", "destroy"), Danger("deploy", "apply")),
    "serverless": (Danger("remove", "destroy"), Danger("deploy", "apply")),
    "sls": (Danger("remove", "destroy"), Danger("deploy", "apply")),
    "sam": (Danger("delete", "destroy"), Danger("deploy", "apply")),
    "amplify": (Danger("delete", "destroy"), Danger("remove *", "delete"), Danger("env remove", "delete")),
    "eb": (Danger("terminate", "destroy"), Danger("deploy", "apply")),
    "heroku": (
        Danger("apps:destroy|addons:destroy|pg:reset|apps:delete|domains:clear|pipelines:destroy", "destroy"),
        Danger("destroy|*:destroy|*:reset|*:delete", "destroy"),
        Danger("config", "read-secret", action=_SECRET),
        Danger("config:get|auth:token", "read-secret", action=_SECRET),
        Danger("access:*|members:*|authorizations:*|keys:*|transfer|apps:transfer *", "change-access"),
        Danger("pg:backups:restore|pg:copy|pg:push", "destroy"),
        Danger("config:unset|pg:killall|ps:scale|ps:stop|ps:kill|maintenance:on|pg:promote", "disturb"),
        Danger("rollback|releases:rollback|pg:unfollow|pg:detach|*:remove|*:clear|*:disable", "disturb"),
    ),
    **dict.fromkeys(
        ("fly", "flyctl"),
        (
            Danger("secrets|ips|certs|tokens unset|release|remove|revoke", "delete"),
            Danger("scale count 0|*=0", "disturb"),
            Danger("apps|app|machine|machines|m suspend|stop|kill", "disturb"),
            Danger("pg|postgres detach|failover", "disturb"),
            Danger(
                "** set-pipeline|sp|dp|pause-*|unpause-*|set-team|order-pipelines|rename-*|intercept|hijack",
                "disturb",
            ),
            Danger("** destroy|delete|remove|destroy-*|delete-*", "destroy"),
            Danger("auth token", "read-secret", action=_SECRET),
            Danger("tokens create", "read-secret", action=_SECRET),
        ),
    ),
    "dnscontrol": (Danger("push", "apply"),),
    "octodns-sync": (Danger("", "apply", needs=("--doit",)),),
    "vercel": (
        Danger("rollback|promote", "disturb"),
        Danger("rm|remove", "destroy"),
        Danger("env|domains|dns|secrets|project|alias|certs|teams rm|remove", "delete"),
    ),
    "netlify-cli": (Danger("*:delete|env:unset", "destroy"), Danger("api delete*", "destroy")),
    "netlify": (
        Danger("*:delete|env:unset", "destroy"),
        Danger("api delete*", "destroy"),
        Danger("env:get", "read-secret", action=_SECRET),
        Danger("env:list", "read-secret", needs=("--plain", "--json"), action=_SECRET),
    ),
    "wrangler": (
        Danger("delete", "destroy"),
        Danger("** delete|bulk", "delete", unless=("--local",)),
        Danger("secret delete", "delete"),
        Danger("rollback", "disturb"),
    ),
    "firebase": (
        Danger("functions:config:get|functions:secrets:access|login:ci", "read-secret", action=_SECRET),
        Danger(
            "firestore:delete|database:remove|database:set|functions:delete|hosting:disable|projects:delete",
            "destroy",
        ),
        Danger("auth:import|database:import|database:update|remoteconfig:rollback", "disturb"),
        Danger("** delete", "delete"),
    ),
    "supabase": (
        Danger("db reset", "destroy", needs=("--linked", "--db-url")),
        Danger("db reset", "disturb"),
        Danger("projects|branches|functions|secrets delete|unset", "delete"),
    ),
    "railway": (
        Danger("variables", "read-secret", action=_SECRET),
        Danger("down|delete", "destroy"),
        Danger("environment|volume|service|project delete", "destroy"),
    ),
    "doctl": (
        Danger("** delete|destroy|d|rm", "delete"),
        Danger("auth token", "read-secret", action=_SECRET),
        Danger("databases connection|user", "read-secret", action=_SECRET),
        _DISTURBING_VERBS,
    ),
    "hcloud": (Danger("** delete", "delete"), _DISTURBING_VERBS),
    "linode-cli": (Danger("** delete|rm", "delete"), _DISTURBING_VERBS),
    "openstack": (Danger("** delete|purge", "delete"), _DISTURBING_VERBS),
    "oci": (
        Danger("** delete|terminate|bulk-delete", "delete"),
        Danger("** action", "disturb", needs=("--action",)),
        _DISTURBING_VERBS,
    ),
    "ibmcloud": (Danger("** delete|rm|*-delete", "delete"), _DISTURBING_VERBS),
    "aliyun": (
        Danger("* delete*|remove*|release*|terminate*|rm", "delete"),
        Danger("* stop*|reboot*", "disturb"),
    ),
    "scw": (Danger("** delete|terminate", "delete"), _DISTURBING_VERBS),
    "cf": (Danger("delete|delete-*", "delete"),),
    "drone": (Danger("secret|repo|cron rm|disable", "delete"),),
    "restic": (
        Danger("forget", "delete", needs=("--prune", "--keep-last", "--unsafe-allow-remove-all")),
        Danger("prune|forget|repair|rewrite", "disturb"),
        Danger("unlock", "disturb", needs=("--remove-all",)),
    ),
    "borg": (Danger("delete|prune|compact|recreate", "delete"),),
    "duplicity": (Danger("remove-*|cleanup", "delete", needs=("--force",)),),
    "kopia": (Danger("snapshot|repository delete|expire|disconnect", "delete"),),
    "sst": (Danger("remove", "destroy"),),
    **dict.fromkeys(_SMALL_CLOUDS, (*_LOSING_VERBS, _DISTURBING_VERBS)),
    **dict.fromkeys(("swift", "arc"), _LOSING_VERBS),
    "terraspace": (Danger("down", "destroy"), Danger("all down", "destroy"), Danger("up", "apply")),
    "cloud-nuke": (Danger("aws|gcp|defaults-aws", "destroy"),),
    **dict.fromkeys(
        ("aws-nuke", "gcp-nuke", "azure-nuke"),
        (Danger("", "destroy", needs=("--no-dry-run", "--no-dryrun", "--no-prompt")),),
    ),
    "azcopy": (
        Danger("remove|rm", "delete"),
        Danger("sync", "delete", needs=("--delete-destination",)),
    ),
    "consul": (
        Danger("kv get *secret*|*password*|*token*", "read-secret", action=_SECRET),
        Danger("kv delete", "delete"),
        Danger("snapshot restore", "disturb"),
        Danger("leave|force-leave|maint", "disturb"),
        Danger("** delete|deregister", "delete"),
        Danger("operator raft remove-peer", "delete"),
    ),
    "convex": (
        Danger("import", "delete", needs=("--replace", "--replace-all")),
        Danger("env remove|unset|set", "change-access"),
        Danger("** delete|clear", "delete"),
    ),
    "mc": (
        Danger("rb", "delete"),
        Danger("rm", "delete"),
        Danger("mirror", "delete", needs=("--remove", "--overwrite")),
        Danger("admin user|policy|group remove|rm|disable", "change-access"),
        Danger("anonymous|policy set|set-json", "change-access"),
        Danger("** rm|remove|clear|suspend", "disturb"),
    ),
    "bq": (
        Danger("rm", "delete"),
        Danger("load|query|cp|copy|mk", "delete", needs=("--replace", "-f", "--force")),
    ),
}
