"""Requests to servers that change or delete something there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.network.metadata_addresses import asks_for_machine_keys
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command

STORE_PORT = lazy(r":(?:8123|7700|8108|9090|9200|5984|8086|15672|8983|6333|8529|7474)\b")
_HOSTED = lazy(
    r"api\.github\.com|gitlab|bitbucket|:(?:9200|5984|8086|15672|8983|6333|8529)|/_delete_by_query|/_all\b|/doDelete\b|/api/v4/projects|/repos/",
    re.I,
)
LOCAL = lazy(
    r"^:\d|^(?:https?://)?(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w-]+\.local(?:host)?\b)",
    re.I,
)
_CODE_HOST = lazy(
    r"^(?:https?://)?(?:api\.github\.com|(?:[\w.-]+\.)?gitlab[\w.-]*|api\.bitbucket\.org|bitbucket\.org|codeberg\.org"
    r"|[\w.-]+/api/v[134]/(?:projects|repos|groups|user|admin)|circleci\.com/api|api\.buildkite\.com|api\.travis-ci|app\.terraform\.io/api"
    r"|dev\.azure\.com|[\w.-]*(?:jenkins|gitea|forgejo|drone|sonar|nexus|artifactory|argocd|vault|consul|rancher)[\w.-]*)"
    r"(?::\d+)?(?:/|\Z)",
    re.I,
)
_CLOUD_HOST = lazy(
    r"^(?:https?://)?(?:api\.(?:digitalocean|cloudflare|heroku|vercel|netlify|render|linode|vultr|stripe|openai|twilio"
    r"|sendgrid|fastly|hetzner|scaleway|supabase|machines|datadoghq|pagerduty|atlassian|railway|neon|mailgun|newrelic)\.\w+"
    r"|[\w.-]+\.(?:amazonaws|googleapis|azure|atlassian)\.(?:com|net)|management\.azure\.com|graph\.microsoft\.com"
    r"|backboard\.railway\.\w+|api\.hetzner\.cloud)(?:/|\Z)",
    re.I,
)
_MONEY = lazy(
    r"^(?:https?://)?api\.(?:stripe\.com/v1/(?:refunds|charges|payouts|transfers)|(?:m\.)?paypal\.com/v\d/payments)",
    re.I,
)
"""What is paid or paid back is not undone by another request."""
_ENDING = lazy(
    r"/(?:delete|destroy|drop|purge|wipe|truncate)[_-]\w+(?:[/?#]|\Z)|"
    r"/(?:do)?(?:delete|destroy|remove|terminate|wipe|purge|reset|shutdown|safeRestart|safeExit|quietDown|restart|exit|disable"
    r"|kill|cancelQuietDown|revoke|deactivate|suspend|archive|drop|flush|truncate|factory-?reset|doDisable|stop|seal|scriptText|script|purge_cache|leave|force-leave)(?:[/?#]|\Z)",
    re.I,
)
_ACCESS = lazy(
    r"/(?:keys|hooks|collaborators|invitations|transfer|members|deploy_keys|variables|envvar|secrets|access_tokens|dispatches)\b"
    r"|/trigger/pipeline\b|/job/[^/?]{0,60}(?:prod|deploy|release)[^/?]{0,60}/build"
)


_REGISTRY = lazy(
    r"^(?:https?://)?(?:registry\.npmjs\.org|(?:upload\.|test\.)?pypi\.org|crates\.io/api|rubygems\.org/api|hex\.pm/api"
    r"|(?:www\.|api\.)?nuget\.org|packagist\.org/api|hub\.docker\.com|central\.sonatype\.com|npm\.pkg\.github\.com"
    r"|marketplace\.visualstudio\.com|open-vsx\.org/api|(?:www\.)?googleapis\.com/chromewebstore)(?:/|\Z)",
    re.I,
)
_ASKING = lazy(r"/-/npm/v1/security|/search\b|/login\b|/token\b", re.I)
_CREDENTIALS = lazy(
    r"^(?:-H)?\s*(?:authorization|[\w-]*-?token|[\w-]*api-?key|x-vault-token|cookie)\s*:", re.I
)


def _has_credentials(command: Command) -> bool:
    """Whether the request says who sends it, as requests to a server that others use do."""
    texts = [word.text for word in command.argv[1:]]
    return any(
        _CREDENTIALS.match(text) or text in ("-u", "--user", "--oauth2-bearer", "-a") for text in texts
    )


_HARMLESS = ("", "GET", "HEAD", "OPTIONS", "DELETE")
"""Methods that change nothing, or what is read elsewhere."""
_DELETING = lazy(
    r"/_delete_by_query\b|/doDelete\b|/_cluster/settings|/_close\b|/_update_by_query\b|/_purge\b"
    r"|/admin/tsdb/delete_series\b|[?&]action=(?:UNLOAD|DELETE\w*)\b"
)
_LONGEST = 400
"""How much of an address is looked at: enough for the host and the path."""


def _changes(command: Command, method: str, addresses: Sequence[str]) -> Iterator[Effect]:
    """Requests that change what others rely on: at a code host or a cloud, or by what their path says."""
    for address in (whole[:_LONGEST] for whole in addresses):
        if LOCAL.match(address):
            continue
        writes = method in ("PUT", "PATCH")
        if _REGISTRY.match(address) and not _ASKING.search(address):
            yield Effect(Action.PUBLISH_PACKAGE, "registry-change", command, what=shown(command))
        elif _MONEY.match(address):
            yield Effect(Action.CHANGE_CLOUD, "disturb", command, what=shown(command))
        elif _CODE_HOST.match(address) and (writes or _ACCESS.search(address) or _ENDING.search(address)):
            yield Effect(Action.CHANGE_CI, "api-change", command, what=shown(command))
        elif (writes and (_CLOUD_HOST.match(address) or _has_credentials(command))) or _ENDING.search(
            address
        ):
            yield Effect(Action.CHANGE_CLOUD, "disturb", command, what=shown(command))


def request(command: Command, method: str, addresses: Sequence[str]) -> Iterator[Effect]:
    if method not in _HARMLESS:
        yield from _changes(command, method, addresses)
    if any(map(asks_for_machine_keys, addresses)):
        yield Effect(Action.READ_SECRET, "metadata", command, what=shown(command))
    remote = [address for address in addresses if not LOCAL.match(address) or _keeps_data(address)]
    if remote and (method == "DELETE" or any(map(_DELETING.search, remote))):
        if all("/_doc/" in address for address in remote):
            return
        name = "host-delete" if any(_HOSTED.search(address) for address in remote) else "http-delete"
        yield Effect(Action.SEND_DATA, name, command, what=shown(command))


_FOR_TESTS = lazy(r":\d+/(?:tests?|testing|e2e|tmp|scratch)(?:[_-][\w-]*)?/?\Z", re.I)
"""An index or a database that is made for tests, and nothing below it."""


def _keeps_data(address: str) -> bool:
    """Whether a server on this machine keeps what it holds, as one elsewhere does."""
    return bool(STORE_PORT.search(address)) and not _FOR_TESTS.search(address)


def is_local(addresses: Sequence[str]) -> bool:
    return bool(addresses) and all(map(LOCAL.match, addresses))
