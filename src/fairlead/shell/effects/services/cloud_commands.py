"""The large clouds, and the tools that build in them."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.services.sql_statements import sql_danger
from fairlead.shell.effects.subcommand_tables import Danger, same_reader, subcommand_reader
from fairlead.shell.effects.tables.cloud_platforms import PLATFORMS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_SECRET = Action.READ_SECRET

_AWS = (
    Danger(
        "configure set credential_process|*.credential_process",
        "command-setting",
        action=Action.CHANGE_GUARD,
    ),
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
    Danger("* set-*-policy|put-*-policy", "change-access"),
    Danger("lambda create-function-url-config|update-function-url-config", "change-access"),
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
    Danger("* disable-*|deactivate-*|detach-*|release-*|revoke-*|put-bucket-lifecycle*", "delete"),
    Danger("* stop-*|reboot-*|disassociate-*|remove-*|reset-*|promote-*|failover-*|switchover-*", "disturb"),
    Danger("lambda put-function-concurrency", "disturb"),
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
    Danger("** delete|delete-*|remove|destroy|purge|bulk-delete", "delete"),
    Danger("storage rm|rb", "delete"),
    Danger("storage rsync", "delete", needs=("--delete-unmatched-destination-objects",)),
    Danger("** set-iam-policy|add-iam-policy-binding|remove-iam-policy-binding", "change-access"),
    Danger("iam service-accounts keys create", "change-access"),
    Danger("auth revoke", "disturb"),
    Danger("** remove-metadata|remove-tags|unlink|undelete-*|rollback|restart|detach-disk", "disturb"),
    Danger("** resize", "disturb", needs=("--size", "--num-nodes", "--machine-type")),
    Danger("firestore import", "disturb"),
    Danger(
        "** patch|update",
        "disturb",
        needs=("--no-backup", "--authorized-networks", "--no-deletion-protection"),
    ),
    Danger("alpha|beta storage rm|rb", "delete"),
    Danger("compute firewall-rules create|update", "change-access"),
    Danger("** stop|reset|disable|failover|abandon-instances|seek", "disturb"),
    Danger("sql import", "disturb"),
    Danger("sql backups|instances restore|restore-backup|promote-replica", "disturb"),
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
    Danger("** firewall-rule create|update", "change-access"),
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
    Danger(
        "output *pass*|*secret*|*key*|*token*|*cred*|*conn*|*dsn*|*kubeconfig*|*url*|*auth*|*private*",
        "read-secret",
        needs=("-raw", "--raw", "-json", "--json"),
        action=_SECRET,
    ),
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
    Danger("stack import", "state"),
    Danger("config get *pass*|*secret*|*token*|*key*", "read-secret", action=_SECRET),
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


def _reader(dangers: tuple[Danger, ...]) -> EffectReader:
    return subcommand_reader(
        Action.CHANGE_CLOUD,
        dangers,
        valued=("--project", "--region", "-a", "--app", "-s", "--stack", "-t", "--target", "-r", "--repo"),
    )


_aws_known = subcommand_reader(Action.CHANGE_CLOUD, _AWS, valued=_AWS_VALUED)


_OWN_MACHINE = lazy(r"^https?://(?:localhost|127\.|0\.0\.0\.0|localstack|host\.docker\.internal)")


def _is_emulated(command: Command) -> bool:
    """Whether the cloud is one that runs on this machine, for tests."""
    given = read_arguments(command.argv[1:], valued=("--endpoint-url",))
    variables = (
        word.text for name, word in command.assignments.items() if name.startswith("AWS_ENDPOINT_URL")
    )
    return any(_OWN_MACHINE.match(text) for text in (given.text("--endpoint-url"), *variables))


_bq_known = _reader(PLATFORMS["bq"])


def _bq(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _bq_known(command, where)
    if not any(word.text in ("--dry_run", "--dry_run=true") for word in command.argv):
        yield from _stated(command)


_TO_EVERYONE = lazy(r"\"(?:Principal|AWS)\"\s*:\s*\"\*\"|\bGroup=all\b")
_SWITCHED_OFF = lazy(
    r"(?:Recovery|Versioning|Logging|Encryption|Protection|Backups?)\w*(?:Enabled|Status)\w*=(?:false|Disabled|Suspended)"
)


def _aws(command: Command, where: Surroundings) -> Iterator[Effect]:
    """A change of DNS records that deletes some is a deletion."""
    deletes = any('"DELETE"' in word.text for word in command.argv)
    texts = [word.text for word in command.argv]
    if (texts[-1] == "help" and len(texts) <= 4) or _is_emulated(command):
        return
    if any(text.startswith("public-read") or _TO_EVERYONE.search(text) for text in texts):
        yield Effect(Action.CHANGE_CLOUD, "change-access", command, what=" ".join(texts)[:200])
    if texts[1:4] == ["s3", "cp", "/dev/null"] or any(map(_SWITCHED_OFF.search, texts)):
        yield Effect(Action.CHANGE_CLOUD, "disturb", command, what=" ".join(texts)[:200])
    for effect in _aws_known(command, where):
        yield effect.replace(name="delete") if deletes and effect.name == "disturb" else effect


_wrangler_known = subcommand_reader(Action.CHANGE_CLOUD, PLATFORMS["wrangler"], valued=("--command", "--env"))
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
    if not any(word.text == "--local" for word in command.argv):
        yield from _stated(command)


def _stated(command: Command) -> Iterator[Effect]:
    """Statements in the words and in the input of a program that runs them."""
    texts = [word.text.partition("=")[2] or word.text for word in command.argv[1:]]
    for text in (*texts, command.stdin.text or ""):
        found = sql_danger(text)
        if found is not None:
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
        (
            Danger("delete|purge|deletefile|rmdirs|cleanup|sync", "delete"),
            Danger("move|moveto *:*", "disturb"),
        ),
    ),
    **{name: _reader(table) for name, table in PLATFORMS.items()},
    "wrangler": _wrangler,
    "bq": _bq,
}
