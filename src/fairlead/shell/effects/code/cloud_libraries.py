"""Calls of the libraries of clouds, clusters and container engines, in whatever language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code

_CLOUDS = lazy(
    r"\b(?:boto3|botocore|aioboto3|aws-sdk|aws_sdk|google\.cloud|googleapiclient|firebase[-_]admin|digitalocean|pydo"
    r"|hcloud|libcloud|linode_api4|openstack|minio|cloudflare|ovh|oci\.(?:core|database|object_storage))\b"
    r"|@(?:aws-sdk|google-cloud|azure)/|\bfrom azure\.|\bimport azure\.|\bAws::|\bAWS\."
)
_CLUSTERS = lazy(r"\b(?:kubernetes|kubernetes_asyncio|pykube|lightkube|kr8s)\b|@kubernetes/")
_ENGINES = lazy(
    r"\b(?:import docker|from docker|docker\.from_env|dockerode|from podman|Docker::|aiodocker)\b"
    r"|docker\.sock\b"
)
_ON_THIS_MACHINE = lazy(
    r"(?:endpoint(?:_?url)?|api_endpoint|host)['\"]?\s*[:=]\s*['\"]https?://(?:localhost|127\.|localstack|minio\b|0\.0\.0\.0)"
    r"|\bmoto\b|\bmock_(?:aws|s3|ec2)|\bDryRun\s*[:=]\s*[Tt]rue|\bdry_run\s*[:=]\s*['\"\[(]*(?:All|True|true)|LocalStack",
)
"""A server that stands in for the cloud, or a call that only asks what would happen."""
_LOSES = lazy(
    r"(?:\.|->|::|\bnew\s+|\bnew\s+\w+\.)(?P<call>(?:begin_?|batch_?|bulk_?|recursive_?|hard_?)?"
    r"(?:delete|terminate|destroy|purge|deprovision|schedule_?key_?deletion|deregister|empty)(?!_?(?:message|tag|marker|label)s?\b)\w*)"
    r"(?:!|\s*\(|\s*$|\s*[;}\n])",
    re.I,
)
_DISTURBS = lazy(
    r"(?:\.|\bnew\s+)(?P<call>(?:begin_?)?(?:stop|reboot|deallocate|power_?off|shut_?down|restart)_?(?:instances?|vms?|db\w*|cluster|server\w*"
    r"|logging|task|Instances|DB\w*|Logging|Task)\w*|begin_(?:deallocate|power_off|restart))\s*\(",
    re.I,
)
_OPENS = lazy(
    r"(?:\.|\bnew\s+)(?P<call>(?:attach|put)_?\w*_?policy\w*|put_?bucket_?acl\w*|put_?object_?acl\w*|create_?access_?key\w*"
    r"|create_?login_?profile\w*|(?:set|add)_?iam_?policy\w*|authorize_?security_?group_?ingress\w*|update_?assume_?role\w*)\s*\(",
    re.I,
)
_EVERY_VOLUME = lazy(
    r"\bvolumes?\b[\s\S]{0,200}\.(?:prune|remove)\s*\(|\.prune_volumes\s*\(|\.pruneVolumes\s*\(", re.I
)
_EVERY_CONTAINER = lazy(
    r"\bcontainers?\.list\s*\([\s\S]{0,200}\.(?:remove|kill|stop)\s*\(|\.remove\s*\([\s\S]{0,200}\bcontainers\.list\s*\("
)
_PRIVILEGED = lazy(
    r"\b[Pp]rivileged['\"]?\s*[:=]\s*[Tt]rue|\b(?:Binds|volumes)['\"]?\s*[:=]\s*\[\s*['\"]/:|\bhostPID['\"]?\s*[:=]\s*[Tt]rue|\bpid_mode\s*=\s*['\"]host|['\"]/['\"]\s*:\s*\{\s*['\"]bind"
)
_HOLDS_DATA = lazy(r"namespace\b|namespace$|persistent|collection|cluster", re.I)


def cloud_effects(code: Code, called: str) -> Iterator[Effect]:
    """What the code deletes, stops or opens through such a library; `called` is the code without texts."""
    text = code.text
    if _CLOUDS.search(text):
        yield from _in_cloud(code, called)
    if _CLUSTERS.search(text):
        found = _LOSES.search(called)
        if found is not None and not _ON_THIS_MACHINE.search(text):
            name = "delete-data" if _HOLDS_DATA.search(found["call"]) else "delete"
            yield Effect(Action.CHANGE_CLUSTER, name, code.command, what=found["call"])
        if _PRIVILEGED.search(text):
            yield Effect(
                Action.GAIN_PRIVILEGE, "container-privileged", code.command, what=f"{code.language} code"
            )
    if _ENGINES.search(text):
        yield from _in_engine(code, called)


def _in_cloud(code: Code, called: str) -> Iterator[Effect]:
    if _ON_THIS_MACHINE.search(code.text):
        return
    for pattern, name in ((_LOSES, "delete"), (_DISTURBS, "disturb"), (_OPENS, "change-access")):
        found = pattern.search(called)
        if found is not None:
            yield Effect(Action.CHANGE_CLOUD, name, code.command, what=found["call"], detail=code.language)


def _in_engine(code: Code, called: str) -> Iterator[Effect]:
    if _EVERY_VOLUME.search(called) or (".remove(" in called and ".volumes.list(" in called):
        yield Effect(Action.CHANGE_CONTAINER, "delete-volume", code.command, what=f"{code.language} code")
    elif _EVERY_CONTAINER.search(called):
        yield Effect(Action.CHANGE_CONTAINER, "delete-everything", code.command, what=f"{code.language} code")
    elif ".prune(" in called:
        yield Effect(Action.CHANGE_CONTAINER, "prune", code.command, what=f"{code.language} code")
    if _PRIVILEGED.search(code.text):
        yield Effect(
            Action.GAIN_PRIVILEGE, "container-privileged", code.command, what=f"{code.language} code"
        )
