"""What the name of a foreign tool says that it loses: `kubectl_delete`, `drop-collection`, `deleteBucket`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from fairlead.model.tool_call import PATH_KEYS, ToolCall
from fairlead.packs.identity_memory import once_for_each
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.words.lexicon.losing_verbs import (
    DISTURBING_BY_TOOLS,
    DISTURBING_CLUSTERS,
    LOSING_BY_TOOLS,
)
from fairlead.shell.effects.words.lexicon.showing_verbs import READING_BY_TOOLS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_WORDS = lazy(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_TURNED_OFF = names("uninstall kill")
"""What is done to programs on a phone or a desk as well."""
_OPENING = names("attach grant bind")
_MAKING = names("create add put update attach set")
_BUILDERS = names("terraform tofu opentofu pulumi terragrunt")
_RIGHTS = names("policy policies role roles permission permissions admin")

_PAYING = names(
    """
    stripe paypal square adyen braintree razorpay wise plaid coinbase kraken binance metamask wallet solana
    ethereum bitcoin payments billing
    """
)
_SPENDING = names("refund payout payouts transfer pay charge withdraw send capture")
_LOGINS = names("okta auth0 keycloak cognito entra clerk workos iam")
_PERSONS = names("user users mfa factor factors password account")
_CLOUDS = names(
    """
    aws amazon awslabs gcp gcloud azure az azmcp cloudflare digitalocean hetzner hcloud linode vultr heroku fly
    flyctl vercel netlify railway render firebase supabase neon terraform tofu opentofu pulumi cfn cloudformation
    ccapi cdk ec2 s3 gcs iam lambda route53 ecs rds oci openstack proxmox vmware vsphere esxi coolify dokku vault
    consul nomad planetscale turso upstash minio scaleway ovh ibmcloud alicloud aliyun tencent huaweicloud
    """
)
_CLUSTERS = names("kubernetes k8s kubectl helm argocd flux eks gke aks openshift rancher istio")
_ENGINES = names("docker podman compose portainer swarm nerdctl containerd")
_DATABASES = names(
    """
    mongodb mongo redis valkey postgres postgresql pg mysql mariadb mssql sqlserver sqlite duckdb snowflake
    bigquery clickhouse redshift cockroachdb cassandra elasticsearch opensearch elastic meilisearch typesense
    qdrant pinecone chroma chromadb weaviate milvus neo4j dynamodb couchdb influxdb timescale kafka confluent
    rabbitmq nats airtable baserow nocodb sql database db databases dbhub oracle d1 memcached memcache etcd
    firestore influx tinybird surrealdb arangodb couchbase scylla
    """
)
_STORES = names(
    """
    database databases collection collections index indexes indices schema schemas keyspace topic topics queue
    queues dataset datasets
    """
)
_MANAGED = names(
    """
    bucket buckets instance instances droplet droplets vm vms cluster clusters namespace namespaces repository
    repo organization stack stacks pod pods deployment deployments volume volumes snapshot snapshots backup
    backups vpc subnet secret secrets site sites app apps application applications domain zone dns
    dashboard dashboards monitor monitors workflow workflows pipeline pipelines channel channels user users
    account accounts customer customers team teams workspace workspaces project projects space spaces
    recording recordings simulator service services zap zaps automation automations integration integrations
    tenant tenants
    """
)
_SMALL = names(
    """
    comment comments message messages memory memories task tasks todo note notes tab tabs cookie cookies label
    labels tag tags breakpoint key keys item document row record line lines cell cache session draft node entity
    entities observation observations relation relations container containers image images network networks
    subscription subscriptions webhook
    """
)
"""What is lost without harm, one at a time."""
_WORKS = names(
    """
    page pages email emails mail issue issues ticket tickets calendar table tables product products order orders
    contact contacts post posts article articles deal deals lead leads
    """
)
"""What people made one by one: deleted, it is gone; removed, it may be only out of a list."""
_FILES = names("file files folder folders")
"""Somewhere else, where they are not named by a path."""
_MANY = names("many all batch bulk documents rows records items")
_OVERWRITING = lazy(r"['\"]\$(?:out|merge)['\"]")
"""A stage of a query that replaces a collection by what it found."""
_KEPT_IN_CLUSTERS = lazy(
    r"namespace|^ns$|persistent|^pvc?$|cluster|crd|customresource|helm|chart|release|^all$", re.I
)
_STATING = lazy(r"(?:^|_)(?:operation|action|method|verb|op|command|sub_?command)(?:_?name)?$", re.I)
_TYPING = ("resourceType", "resource_type", "resource", "kind", "type")
_FILTERING = ("filter", "query", "where", "ids", "id", "recordIds", "record_ids", "selector", "condition")
_NOTHING: tuple[object, ...] = (None, "", {}, [], "{}", {"match_all": {}}, {"query": {"match_all": {}}})
_TRYING = names("dryrun preview simulate whatif")
_NO_LETTERS = lazy(r"[^a-z]")


_DEEPER = (
    *("params", "parameters", "arguments", "args", "body", "input", "inputs", "payload", "kwargs"),
    *("flags", "options"),
)
_DISPATCHING = (
    "tool",
    "tool_name",
    "toolName",
    "command",
    "action",
    "operation",
    "method",
    "function",
    "name",
)
_NAME_OF_TOOL = lazy(r"[A-Za-z][A-Za-z0-9]*(?:[_.:/-]{1,2}[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+")


@once_for_each(2)
def given_of(call: ToolCall) -> Mapping[str, object]:
    """The input of a call, with what some clients put one level deeper."""
    if call.input.keys().isdisjoint(_DEEPER):
        return call.input
    inner = [value for key, value in call.input.items() if key in _DEEPER]
    deeper = {key: value for values in inner if isinstance(values, dict) for key, value in values.items()}
    return {**deeper, **call.input} if deeper else call.input


@once_for_each(2)
def words_of(call: ToolCall) -> tuple[list[str], list[str]]:
    """The words of the server's name and those of the tool's, in lower case."""
    _, _, rest = call.name.partition("__")
    server, _, tool = rest.rpartition("__")
    served = _WORDS.findall(call.mcp_server or server)
    asked = _WORDS.findall(call.mcp_tool or tool or call.name)
    inner = _dispatched(call.input)
    if inner:
        served, asked = [*served, *asked], _WORDS.findall(inner)
    return [word.lower() for word in served], [word.lower() for word in asked]


def _dispatched(given: Mapping[str, object]) -> str:
    """The tool that a tool for all tools is told to call, with its arguments beside it."""
    if not any(isinstance(given.get(key), dict) for key in _DEEPER):
        return ""
    named = (given.get(key) for key in _DISPATCHING)
    return next((text for text in named if isinstance(text, str) and _NAME_OF_TOOL.fullmatch(text)), "")


def only_tries(given: Mapping[str, object]) -> bool:
    """Whether the call is told to change nothing."""
    for key, value in given.items():
        named = _NO_LETTERS.sub("", key.lower()) in _TRYING
        if named and str(value).lower() not in ("false", "none", "0", ""):
            return True
    return False


def lost_by_name(call: ToolCall, cwd: str) -> Iterator[Effect]:
    """What the call would lose, as its names and the kind of thing that it is given say."""
    server, tool = words_of(call)
    given = given_of(call)
    if not tool or tool[0] in READING_BY_TOOLS or only_tries(given):
        return
    stated = {word for key, value in given.items() if _STATING.search(key) for word in _first_words(value)}
    verbs = {*tool, *stated, *_in_two_words(tool)}
    things = {*tool, *(word for key in _TYPING for word in _all_words(given.get(key)))}
    found = _found(set(server), verbs, things, given)
    if found is not None:
        yield Effect(found[0], found[1], Command((), cwd), what=_shown(call), detail=call.name)


def _in_two_words(tool: list[str]) -> Iterator[str]:
    """Verbs that only their place or their neighbour makes one: `empty_bucket`, `power_off_server`."""
    if tool[0] == "empty":
        yield "purge"
    if ("power", "off") in pairwise(tool):
        yield "shutdown"


_PHONES = names("mobile appium ios android simulator xcode xcodebuild maestro emulator adb")


def _found(
    server: set[str], verbs: set[str], things: set[str], given: Mapping[str, object]
) -> tuple[Action, str] | None:
    places = server | things
    if "terminate" in verbs and places & _PHONES and "app" in things:
        return None
    loses = bool(verbs & LOSING_BY_TOOLS) or bool("cleanup" in verbs and places & _CLUSTERS)
    disturbs = bool(verbs & DISTURBING_BY_TOOLS)
    opened = _opened(verbs, things, places, given)
    if opened is not None or (not loses and not disturbs):
        return opened
    if places & _CLUSTERS:
        name = _in_cluster(things) if loses else "drain" if verbs & DISTURBING_CLUSTERS else ""
        return (Action.CHANGE_CLUSTER, name) if name else None
    if places & _ENGINES:
        return _in_engine(verbs, things, given)
    if server & _DATABASES or (things & _DATABASES and not server & _CLOUDS):
        return _in_database(verbs, things, given, loses=loses)
    if loses and _takes_many(verbs, things, given):
        return Action.CHANGE_CLOUD, "by-name"
    if things & _SMALL and not things & _MANAGED:
        return None
    if places & _CLOUDS and (loses or "restore" not in verbs):
        return Action.CHANGE_CLOUD, "delete" if loses else "disturb"
    if "drop" in verbs and things & {"table", "tables", "column", "view"}:
        return Action.CHANGE_DATABASE, "drop"
    kept = things & (_MANAGED | _STORES) or (things & _FILES and not any(key in given for key in PATH_KEYS))
    named = verbs & (LOSING_BY_TOOLS - _TURNED_OFF) and kept
    erased = verbs & {"delete", "deletes", "destroy", "purge", "trash"} and things & _WORKS
    return (Action.CHANGE_CLOUD, "by-name") if named or erased else None


_PASSING = names("tab tabs cookie cookies breakpoint breakpoints cache caches session sessions label labels")
"""What may go all at once."""


_MAILS = names("message messages email emails mail thread threads")


def _takes_many(verbs: set[str], things: set[str], given: Mapping[str, object]) -> bool:
    """All of something, or whatever a search finds, and not what is named one by one."""
    if things & _PASSING:
        return False
    if "bulk" in verbs and verbs & {"delete", "remove", "purge", "erase"}:
        return True
    searched = _MAILS & things and any(key in given for key in ("query", "q"))
    filtered = {"records", "rows", "contacts", "leads"} & things and any(
        isinstance(given.get(key), str) for key in ("where", "filter", "query")
    )
    return bool(searched or filtered) or (
        "all" in things and bool(verbs & {"delete", "wipe", "purge", "erase", "destroy"})
    )


def _opened(
    verbs: set[str], things: set[str], places: set[str], given: Mapping[str, object]
) -> tuple[Action, str] | None:
    """What loses nothing, and still gives rights away, builds, or changes every row."""
    if places & _PAYING and verbs & _SPENDING:
        return Action.CHANGE_CLOUD, "spend"
    if places & _LOGINS and verbs & {"deactivate", "suspend", "reset", "unlock"} and things & _PERSONS:
        return Action.CHANGE_CLOUD, "change-access"
    if "apply" in verbs and places & _BUILDERS and not things & {"migration", "patch"}:
        return Action.CHANGE_CLOUD, "apply"
    if (verbs & _OPENING and verbs & _RIGHTS and places & _CLOUDS) or (verbs & _MAKING and "iam" in places):
        return Action.CHANGE_CLOUD, "change-access"
    if "aggregate" in verbs and places & _DATABASES and _OVERWRITING.search(str(given.get("pipeline", ""))):
        return Action.CHANGE_DATABASE, "unbound"
    many = things & _MANY or {"by", "query"} <= things
    if "update" in verbs and many and places & _DATABASES and _changes_all(given):
        return Action.CHANGE_DATABASE, "unbound"
    return None


def _changes_all(given: Mapping[str, object]) -> bool:
    """What stands where the rows are chosen chooses all."""
    return any(given[key] in _NOTHING[2:] for key in ("filter", "query", "where") if key in given)


def _in_cluster(things: set[str]) -> str:
    return "delete-data" if any(_KEPT_IN_CLUSTERS.search(thing) for thing in things) else "delete"


def _in_engine(verbs: set[str], things: set[str], given: Mapping[str, object]) -> tuple[Action, str] | None:
    if things & {"volume", "volumes"} or (verbs & {"prune", "remove", "rm"} and given.get("volumes") is True):
        return Action.CHANGE_CONTAINER, "delete-volume"
    if "prune" in verbs:
        return Action.CHANGE_CONTAINER, "prune"
    if things & {"stack", "stacks", "service", "services", "environment", "endpoint"}:
        return Action.CHANGE_CONTAINER, "delete-service"
    return None


def _in_database(
    verbs: set[str], things: set[str], given: Mapping[str, object], *, loses: bool
) -> tuple[Action, str] | None:
    """A single key or row may go; many of them only where something says which."""
    if not loses:
        return (Action.CHANGE_DATABASE, "reset") if verbs & {"reset", "restore", "failover"} else None
    if (things & _MANY or {"by", "query"} <= things) and not things & _STORES:
        chosen = any(given.get(key) not in _NOTHING for key in _FILTERING)
        return None if chosen else (Action.CHANGE_DATABASE, "unbound")
    kept = things & (_STORES | _OF_SERVERS)
    below = given.get("prefix") is True or given.get("recurse") is True
    wiping = verbs & names("drop truncate flush flushall flushdb wipe purge nuke destroy dropdatabase")
    return (Action.CHANGE_DATABASE, "drop") if kept or wiping or below else None


_OF_SERVERS = names(
    "table tables column user role db project branch instance instances cluster service compartment backup"
)


def _first_words(value: object) -> list[str]:
    """Of a text, or of the first key of `{"dropDatabase": 1}`."""
    return _all_words(next(iter(value), "") if isinstance(value, Mapping) else value)[:1]


def _all_words(value: object) -> list[str]:
    """The words of a short text; longer ones are no names."""
    return (
        [word.lower() for word in _WORDS.findall(value)] if isinstance(value, str) and len(value) < 80 else []
    )


def _shown(call: ToolCall) -> str:
    values = (value for value in given_of(call).values() if isinstance(value, (str, int)))
    return f"{call.name} {' '.join(str(value) for value in values)}"[:120].strip()
