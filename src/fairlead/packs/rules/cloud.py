"""Clouds and the tools that build in them."""

from __future__ import annotations

import re

from fairlead.model.decision import Decision
from fairlead.packs.judging.followed_commands import is_followed
from fairlead.packs.rule import Pack, Rule, Scene, Severity
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy

_CHANGE = (Action.CHANGE_CLOUD,)
_LIVE = lazy(r"(?:^|[^a-z])(?:prod|production|live|staging)(?:[^a-z]|$)", re.IGNORECASE)


def _is_only_a_name(effect: Effect, scene: Scene) -> bool:
    """Whether nothing is known of what it does but what it says; or it is told to do it where people work."""
    command = effect.command
    said = [word.text for word in (*command.argv[1:], *command.assignments.values())]
    return any(map(_LIVE.search, said)) or not is_followed(command, scene.script)


PACK = Pack(
    id="cloud",
    summary="Deletes and destroys in clouds, infrastructure changes, who may do what there",
    rules=(
        Rule(
            id="cloud/delete",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(("delete",)),
            reason="`{what}` deletes something in the cloud.",
            person="Data or machines in the cloud would be deleted.",
            alternative="Look first: `aws s3 ls`, `gcloud compute instances list`.",
            dangerous=(
                "aws s3 rb s3://b --force",
                "aws s3 sync . s3://b --delete",
                "aws ec2 terminate-instances --instance-ids i-1",
                "gcloud compute instances delete vm",
                "az group delete -n rg --yes",
                "gsutil -m rm -r gs://b",
            ),
            harmless=(
                "aws s3 ls",
                "aws s3 cp a.txt s3://b/",
                "gcloud compute instances list",
                "aws s3 rm s3://b/x --dryrun",
            ),
        ),
        Rule(
            id="cloud/destroy",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(("destroy",)),
            reason="`{what}` destroys everything that the project built there.",
            person="The whole infrastructure or application would be destroyed.",
            alternative="See what would happen: `terraform plan -destroy`.",
            dangerous=(
                "terraform destroy -auto-approve",
                "pulumi destroy --yes",
                "cdk destroy",
                "heroku apps:destroy x",
                "terraform apply -destroy",
            ),
            harmless=("terraform plan -destroy", "terraform plan", "pulumi preview", "terraform init"),
        ),
        Rule(
            id="cloud/apply",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("apply", "state", "disturb")),
            reason="`{what}` changes running infrastructure, or what is known about it.",
            person="Running infrastructure would be changed.",
            alternative="See what would happen: `terraform plan`, `pulumi preview`.",
            dangerous=(
                "terraform apply -auto-approve",
                "terraform state rm x",
                "pulumi up --yes",
                "aws ec2 stop-instances --instance-ids i",
            ),
            harmless=("terraform validate", "terraform state list", "aws ec2 describe-instances"),
        ),
        Rule(
            id="cloud/deploy",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("go-live", "go-live-if-named")),
            reason="`{what}` brings something to the people who use it.",
            person="Production would be changed.",
            alternative="Try it where nobody is hit: `vercel deploy`, `wrangler deploy --dry-run`.",
            dangerous=(
                "vercel deploy --prod",
                "fly deploy",
                "firebase deploy",
                "kubectl --context production apply -f k8s/",
                "helm upgrade api ./chart -n prod",
            ),
            harmless=(
                "vercel deploy",
                "fly deploy -c fly.staging.toml",
                "kubectl --context minikube apply -f k8s/",
                "helm upgrade api ./chart --kube-context docker-desktop",
            ),
        ),
        Rule(
            id="cloud/delete-by-name",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("by-name",)),
            when=_is_only_a_name,
            reason="`{what}` says that it deletes something, and this program is not known here.",
            person="A program that the guard does not know would delete something.",
            alternative="Look first, with what the program has for it: `mytool list`.",
            dangerous=("mytool instance delete i-1", "sometool db:drop --force"),
            harmless=("mytool list", "mytool instance show i-1", "mytool instance delete i-1 --dry-run"),
        ),
        Rule(
            id="cloud/spend",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("spend",)),
            reason="`{what}` moves money.",
            person="Money would be moved.",
            alternative="Look first, with what the program has for it: `stripe refunds list`.",
            dangerous=("stripe refunds create --charge ch_1", "mytool payout send p-1"),
            harmless=("stripe refunds list", "stripe trigger charge.refunded"),
        ),
        Rule(
            id="cloud/change-access",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(("change-access",)),
            reason="`{what}` changes who may do what in the cloud.",
            person="Access rights or keys in the cloud would be changed.",
            alternative="Look: `aws iam list-users`.",
            dangerous=(
                "aws iam create-access-key --user-name x",
                "gcloud projects add-iam-policy-binding p --member m --role r",
            ),
            harmless=("aws iam list-users", "aws sts get-caller-identity"),
        ),
    ),
)
