"""Whose a token is, by the name of its variable, and which hosts may see it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from fairlead.shell.lazy_pattern import lazy

_VARIABLE = lazy(r"\$\{?([A-Z][A-Z0-9_]*)")
_SECRET = lazy(r"TOKEN|SECRET|PASSW|API_?KEY|ACCESS_KEY|PRIVATE_KEY|PAT$|CREDENTIAL")
_HOST = lazy(r"^(?:[a-z]+://)?(?:[^/@\s]*@)?(\[[0-9a-f:]+\]|[\w.-]+)(?::\d+)?(?:[/?#]|$)", re.IGNORECASE)
_OWNERS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (lazy(r"^(?:GITHUB|GH|GHCR)_"), lazy(r"github|ghcr\.io|githubcopilot")),
    (lazy(r"^(?:GITLAB|GL|CI_JOB|CI_REGISTRY)_"), lazy(r"gitlab|registry")),
    (lazy(r"^AWS_"), lazy(r"amazonaws|aws|amazon\.com")),
    (lazy(r"^(?:GOOGLE|GCP|GCLOUD|GEMINI)_"), lazy(r"google|gcr\.io|pkg\.dev|run\.app|cloudfunctions")),
    (lazy(r"^(?:AZURE|ARM)_"), lazy(r"azure|microsoft|windows\.net")),
    (lazy(r"^OPENAI_"), lazy(r"openai|azure|openrouter")),
    (lazy(r"^(?:ANTHROPIC|CLAUDE)_"), lazy(r"anthropic|claude")),
    (lazy(r"^(?:HF|HUGGINGFACE|HUGGING_FACE)_"), lazy(r"huggingface|hf\.co")),
    (lazy(r"^STRIPE_"), lazy(r"stripe")),
    (lazy(r"^SLACK_"), lazy(r"slack")),
    (lazy(r"^(?:NPM|NODE_AUTH)_"), lazy(r"npm|registry|github")),
    (lazy(r"^(?:PYPI|TWINE)_"), lazy(r"pypi|registry")),
    (lazy(r"^(?:CLOUDFLARE|CF)_"), lazy(r"cloudflare|workers")),
    (lazy(r"^(?:DIGITALOCEAN|DO)_"), lazy(r"digitalocean")),
    (lazy(r"^(?:DATADOG|DD)_"), lazy(r"datadog|ddog")),
    (lazy(r"^(?:TWILIO|SENDGRID)_"), lazy(r"twilio|sendgrid")),
    (lazy(r"^SENTRY_"), lazy(r"sentry")),
    (lazy(r"^(?:JIRA|CONFLUENCE|ATLASSIAN)_"), lazy(r"atlassian|jira|confluence")),
    (lazy(r"^DOCKER(?:HUB)?_"), lazy(r"docker|registry")),
)
_OWN_NETWORK = lazy(r"\.(?:internal|intranet|corp|lan|local|svc|test|localhost)$|^localhost$|^[\w-]+$")
_NUMBER = lazy(r"^\d{1,3}(?:\.\d{1,3}){3}$")
_PRIVATE_NUMBER = lazy(r"^(?:10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$|^169\.254\.")


def hosts_of(name: str) -> list[re.Pattern[str]]:
    """The hosts that a secret belongs to, where its name says so."""
    return [hosts for prefix, hosts in _OWNERS if prefix.match(name)]


def go_to_strangers(texts: Iterable[str], addresses: Iterable[str]) -> bool:
    """Whether a secret variable that stands in `texts` would be seen by a host that is not its own."""
    secrets = [name for text in texts for name in _VARIABLE.findall(text) if _SECRET.search(name)]
    return bool(secrets) and any(_is_stranger(host, secrets) for host in named_hosts(addresses))


def named_hosts(addresses: Iterable[str]) -> Iterator[str]:
    for address in addresses:
        found = _HOST.match(address[:400])
        if found is not None:
            yield found[1].lower()


def is_known_service(host: str) -> bool:
    """Whether it is of a service that people have keys for, by the last parts of its name."""
    domain = ".".join(host.split(".")[-2:])
    return any(hosts.match(domain) for _, hosts in _OWNERS)


def is_own_network(host: str) -> bool:
    """Whether it is this machine, or one behind the same door."""
    return (
        bool(_PRIVATE_NUMBER.match(host) if _NUMBER.match(host) else _OWN_NETWORK.search(host))
        or host == "[::1]"
    )


def _is_stranger(host: str, secrets: list[str]) -> bool:
    if _NUMBER.match(host):
        return not _PRIVATE_NUMBER.match(host)
    if _OWN_NETWORK.search(host):
        return False
    owners = [hosts for name in secrets for hosts in hosts_of(name)]
    return any(not hosts.search(host) for hosts in owners)


_TELLING = lazy(
    r"\$\{?([A-Z0-9_]{0,80}(?:SECRET|TOKEN|API_?KEY|(?:PRIVATE|ACCESS|DEPLOY|SSH|SIGNING|GPG)_KEY)[A-Z0-9_]{0,80})\b\}?"
)


def are_told(texts: Iterable[str], addresses: Collection[str]) -> bool:
    """Whether an address or a body carries a secret that is none of the host's own."""
    return any(not _is_at_home(name, addresses) for text in texts for name in _told(text, addresses))


def _told(text: str, addresses: Collection[str]) -> Iterator[str]:
    """A variable with which an address begins is the address."""
    for match in _TELLING.finditer(text):
        begins = match.start() == 0 and text[match.end() : match.end() + 1] in ("", "/", "?", ":")
        if not (begins and text in addresses):
            yield match[1]


def _is_at_home(name: str, addresses: Collection[str]) -> bool:
    """A host says whose it is by the last parts of its name: slack.example.net is not Slack's."""
    domains = [".".join(host.split(".")[-2:]) for host in named_hosts(addresses)]
    service = name.lower().partition("_")[0]
    owners = hosts_of(name)
    return bool(domains) and all(
        any(hosts.search(domain) for hosts in owners)
        or (len(service) > 3 and domain.startswith(f"{service}."))
        for domain in domains
    )
