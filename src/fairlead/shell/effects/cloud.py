"""Clouds, and the tools that build in them."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.databases import sql_danger
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.subcommands import Danger, same_reader, subcommand_reader
from fairlead.shell.script import Command
from fairlead.shell.tables import names
from fairlead.shell.targets import Surroundings

_SECRET = Action.READ_SECRET

_AWS = (
    Danger("s3 rb", "delete"),
    Danger("s3 rm", "delete"),
    Danger("s3 sync", "delete", needs=("--delete",)),
    Danger("s3 mv", "delete", needs=("--recursive",)),
    Danger("kms decrypt", "read-secret", action=_SECRET),
    Danger("secretsmanager get-secret-value|batch-get-secret-value", "read-secret", action=_SECRET),
    Danger("ssm get-parameter*", "read-secret", needs=("--with-decryption",), action=_SECRET),
    Danger("configure export-credentials", "read-secret", action=_SECRET),
    Danger("configure get *secret*|*token*", "read-secret", action=_SECRET),
    Danger("sts get-session-token|assume-role*|get-federation-token", "read-secret", action=_SECRET),
    Danger("ecr|ecr-public get-login-password|get-authorization-token", "read-secret", action=_SECRET),
    Danger("codeartifact get-authorization-token", "read-secret", action=_SECRET),
    Danger("rds generate-db-auth-token", "read-secret", action=_SECRET),
    Danger("sso get-role-credentials", "read-secret", action=_SECRET),
    Danger("iam create-access-key|create-login-profile|update-login-profile", "change-access"),
    Danger(
        "iam attach-*|put-*-policy|add-user-to-group|create-user|update-assume-role-policy", "change-access"
    ),
    Danger(
        "* put-bucket-policy|put-bucket-acl|put-public-access-block|delete-public-access-block",
        "change-access",
    ),
    Danger("ec2 authorize-security-group-ingress", "change-access"),
    Danger("s3api put-object-acl", "change-access"),
    Danger(
        "* add-permission|create-policy-version|set-default-policy-version|put-resource-policy",
        "change-access",
    ),
    Danger(
        "* put-retention-policy|modify-listener|modify-rule|put-lifecycle-*|*-termination-protection",
        "disturb",
    ),
    Danger("s3api put-bucket-*|put-object-lock-*|put-object-retention", "disturb"),
    Danger(
        "* delete-*|*-delete-*|terminate-*|purge-*|schedule-key-deletion|deregister-*|cancel-*|close-account",
        "delete",
    ),
    Danger("* disable-*|detach-*|release-*|revoke-*|put-bucket-lifecycle*", "delete"),
    Danger("* stop-*|reboot-*|disassociate-*|remove-*|reset-*", "disturb"),
    Danger("route53 change-resource-record-sets", "disturb"),
    Danger("autoscaling update-auto-scaling-group|set-desired-capacity", "disturb"),
    Danger("organizations leave-organization|close-account|remove-account-from-organization", "delete"),
    Danger("ssm send-command|start-session", "disturb"),
    Danger("ec2 modify-instance-attribute|modify-image-attribute|modify-snapshot-attribute", "disturb"),
    Danger("rds restore-*|modify-db-*", "disturb"),
    Danger(
        "* *",
        "disturb",
        needs=(
            "--no-enable",
            "--publicly-accessible",
            "--no-deletion-protection",
            "--no-enable-deletion-protection",
            "--no-enable-logging",
        ),
    ),
    Danger("ecs update-service", "disturb", needs=("--desired-count", "--force-new-deployment")),
)
_AWS_VALUED = names(
    """
    --profile --region --output --query --endpoint-url --exclude --include --acl --cli-input-json
    --name --bucket --instance-ids --table-name --stack-name --function-name --role-name --user-name
    --policy-arn --group-id
    """
)
_GCLOUD = (
    Danger("auth print-access-token|print-identity-token|application-default", "read-secret", action=_SECRET),
    Danger("secrets versions access", "read-secret", action=_SECRET),
    Danger("config config-helper", "read-secret", action=_SECRET),
    Danger("sql generate-login-token", "read-secret", action=_SECRET),
    Danger("** delete|delete-*|remove|destroy|purge", "delete"),
    Danger("storage rm|rb", "delete"),
    Danger("storage rsync", "delete", needs=("--delete-unmatched-destination-objects",)),
    Danger("** set-iam-policy|add-iam-policy-binding|remove-iam-policy-binding", "change-access"),
    Danger("iam service-accounts keys create", "change-access"),
    Danger("auth revoke", "disturb"),
    Danger("** remove-metadata|remove-tags|unlink|undelete-*|rollback|restart|detach-disk", "disturb"),
    Danger("container clusters resize", "disturb"),
    Danger(
        "** patch|update",
        "disturb",
        needs=("--no-backup", "--authorized-networks", "--no-deletion-protection"),
    ),
    Danger("alpha|beta storage rm|rb", "delete"),
    Danger("compute firewall-rules create|update", "change-access"),
    Danger("** stop|reset|disable|failover|abandon-instances", "disturb"),
    Danger("sql import|instances restore-backup", "disturb"),
)
_GCLOUD_VALUED = names(
    """
        --project --region --zone --account --configuration --format --filter --location --instance
        """
)
_AZ = (
    Danger("account get-access-token", "read-secret", action=_SECRET),
    Danger("keyvault secret show|download", "read-secret", action=_SECRET),
    Danger("storage account keys list", "read-secret", action=_SECRET),
    Danger("acr credential show|renew", "read-secret", action=_SECRET),
    Danger("acr login", "read-secret", needs=("--expose-token",), action=_SECRET),
    Danger(
        "** list-keys|show-connection-string|list-secrets|list-connection-strings",
        "read-secret",
        action=_SECRET,
    ),
    Danger("** keys list", "read-secret", action=_SECRET),
    Danger("** delete|purge|delete-batch|remove", "delete"),
    Danger("role assignment create", "change-access"),
    Danger("network nsg rule create|update", "change-access"),
    Danger("ad app credential reset", "change-access"),
    Danger("vm run-command invoke", "disturb"),
    Danger("ad sp create-for-rbac|reset", "change-access"),
    Danger("** deallocate|stop|restart|disable|failover|power-off", "disturb"),
    Danger("deployment ** create", "deploy"),
    Danger("** flush|force-reboot|unregister|offboard", "disturb"),
    Danger("** reset|reset-all|revoke|regenerate|renew|rotate|reimage|redeploy|swap", "disturb"),
    Danger("** update", "change-access", needs=("--public-network-access", "--allow-blob-public-access")),
)
_TERRAFORM = (
    Danger("destroy", "destroy"),
    Danger("apply", "destroy", needs=("-destroy", "--destroy")),
    Danger("run-all|run destroy", "destroy"),
    Danger("destroy-all", "destroy"),
    Danger("stack run destroy", "destroy"),
    Danger("apply|up", "apply"),
    Danger("run-all|run apply", "apply"),
    Danger("output", "read-secret", needs=("-raw",), action=_SECRET),
    Danger("state pull", "read-secret", action=_SECRET),
    Danger("state rm|push|replace-provider", "state"),
    Danger("workspace delete", "state"),
    Danger("force-unlock|taint|untaint|import", "state"),
)
_PULUMI = (
    Danger("destroy|down", "destroy", unless=("--preview-only",)),
    Danger("stack rm", "destroy"),
    Danger("state delete|unprotect", "state"),
    Danger("up|update", "apply"),
    Danger("cancel", "state"),
    Danger("config get *", "read-secret", needs=("--show-secrets",), action=_SECRET),
    Danger("config", "read-secret", needs=("--show-secrets",), action=_SECRET),
    Danger("stack export|output", "read-secret", needs=("--show-secrets",), action=_SECRET),
)
_OBJECTS = (
    Danger("rm|rb|del|delete|purge|deletefile|rmdirs|cleanup", "delete"),
    Danger("iam|acl|defacl ch|set", "change-access"),
    Danger("lifecycle|retention|versioning|ubla|pap|requesterpays set|clear|lock|release", "disturb"),
    Danger(
        "rsync|sync|mirror",
        "delete",
        unless=("-n",),
        needs=("-d", "--delete", "--delete-removed", "--remove", "--delete-excluded"),
    ),
)
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
_OTHER: dict[str, tuple[Danger, ...]] = {
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
        Danger("config:get *|auth:token", "read-secret", action=_SECRET),
        Danger("access:*|members:*|authorizations:*|keys:*|transfer|apps:transfer *", "change-access"),
        Danger("config:unset|pg:killall|ps:scale|maintenance:on|pg:promote", "disturb"),
    ),
    **dict.fromkeys(
        ("fly", "flyctl"),
        (
            Danger("secrets|ips|certs|tokens unset|release|remove|revoke", "delete"),
            Danger("scale count 0|*=0", "disturb"),
            Danger("pg|postgres detach|failover", "disturb"),
            Danger("set-pipeline|sp|pause-*|unpause-*|set-team|order-pipelines", "disturb"),
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
    ),
    "hcloud": (Danger("** delete", "delete"), Danger("server poweroff|shutdown|reset|rebuild", "disturb")),
    "linode-cli": (Danger("** delete|rm", "delete"),),
    "openstack": (Danger("** delete", "delete"),),
    "oci": (Danger("** delete|terminate|bulk-delete", "delete"),),
    "ibmcloud": (Danger("** delete|rm|*-delete", "delete"),),
    "aliyun": (
        Danger("* delete*|remove*|release*|terminate*|rm", "delete"),
        Danger("* stop*|reboot*", "disturb"),
    ),
    "scw": (Danger("** delete|terminate", "delete"),),
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
    **dict.fromkeys(_SMALL_CLOUDS, _LOSING_VERBS),
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
        Danger("admin user|policy remove|rm", "change-access"),
    ),
    "bq": (Danger("rm", "delete"), Danger("query *drop*|*truncate*|*delete*", "delete")),
}


_aws_known = subcommand_reader(Action.CHANGE_CLOUD, _AWS, valued=_AWS_VALUED)


def _aws(command: Command, where: Surroundings) -> Iterator[Effect]:
    """A change of DNS records that deletes some is a deletion."""
    deletes = any('"DELETE"' in word.text for word in command.argv)
    texts = [word.text for word in command.argv]
    if texts[-1] == "help" and len(texts) <= 4:
        return
    if any(text.startswith("public-read") for text in texts):
        yield Effect(Action.CHANGE_CLOUD, "change-access", command, what=" ".join(texts)[:200])
    for effect in _aws_known(command, where):
        yield effect.replace(name="delete") if deletes and effect.name == "disturb" else effect


_wrangler_known = subcommand_reader(Action.CHANGE_CLOUD, _OTHER["wrangler"], valued=("--command", "--env"))
_terraform_known = subcommand_reader(
    Action.CHANGE_CLOUD,
    _TERRAFORM,
    valued=("-chdir", "-var", "-var-file", "-target", "-state"),
    single_dash=True,
)


def _terraform(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`TF_CLI_ARGS_apply=-destroy` says the same as the option."""
    hidden = any(
        name.startswith("TF_CLI_ARGS") and "destroy" in word.text
        for name, word in command.assignments.items()
    )
    for effect in _terraform_known(command, where):
        yield effect.replace(name="destroy") if hidden and effect.name == "apply" else effect


def _wrangler(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`wrangler d1 execute DB --command SQL` is a database client."""
    yield from _wrangler_known(command, where)
    for word in command.argv[1:]:
        found = sql_danger(word.text.partition("=")[2] or word.text)
        if found is not None and not any(other.text == "--local" for other in command.argv):
            yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name)


_az_known = subcommand_reader(
    Action.CHANGE_CLOUD,
    _AZ,
    valued=["-g", "--resource-group", "-n", "--name", "--subscription", "--query", "-o", "--output"],
)


def _az(command: Command, where: Surroundings) -> Iterator[Effect]:
    """A complete deployment deletes what the template does not name; an incremental one adds to it."""
    complete = any(word.text.lower() in ("complete", "--mode=complete") for word in command.argv)
    for effect in _az_known(command, where):
        if effect.name != "deploy":
            yield effect
        elif complete:
            yield effect.replace(name="destroy")


def _reader(dangers: tuple[Danger, ...]) -> EffectReader:
    return subcommand_reader(
        Action.CHANGE_CLOUD,
        dangers,
        valued=("--project", "--region", "-a", "--app", "-s", "--stack", "-t", "--target", "-r", "--repo"),
    )


TABLE: dict[str, EffectReader] = {
    "aws": _aws,
    "gcloud": subcommand_reader(Action.CHANGE_CLOUD, _GCLOUD, valued=_GCLOUD_VALUED),
    "az": _az,
    **same_reader(_terraform, "terraform tofu terragrunt"),
    "pulumi": subcommand_reader(
        Action.CHANGE_CLOUD,
        _PULUMI,
        valued=("-s", "--stack", "-C", "--cwd", "-m", "--message", "-c", "--config"),
    ),
    **same_reader(subcommand_reader(Action.CHANGE_CLOUD, _OBJECTS), "gsutil s3cmd b2 s5cmd"),
    "nomad": subcommand_reader(
        Action.CHANGE_CLOUD,
        (
            Danger("var get", "read-secret", action=_SECRET),
            Danger("job stop", "delete", needs=("-purge",)),
            Danger("** delete|destroy|gc|purge|remove-peer", "delete"),
            Danger("job|alloc|node|server stop|drain|restart|force-leave|eligibility", "disturb"),
            Danger("stop", "disturb"),
        ),
        single_dash=True,
    ),
    "rclone": subcommand_reader(
        Action.CHANGE_CLOUD,
        (Danger("delete|purge|deletefile|rmdirs|cleanup|sync", "delete"),),
    ),
    **{name: _reader(table) for name, table in _OTHER.items()},
    "wrangler": _wrangler,
}
