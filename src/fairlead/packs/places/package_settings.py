"""Files that say where packages come from, and whether what comes is checked."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairlead.model.decision import Decision
from fairlead.model.hook import Evidence, Outcome
from fairlead.shell.lazy_pattern import lazy

_SETTINGS = lazy(
    r"/(?:\.npmrc|\.yarnrc(?:\.yml)?|\.?bunfig\.toml|\.tool-versions|\.?mise(?:\.\w+)?\.toml|pip\.(?:conf|ini)|uv\.toml|\.cargo/config(?:\.toml)?|nuget\.config"
    r"|\.condarc|\.gemrc|\.bundle/config|\.pypirc|Pipfile|Gemfile|[^/]+\.repo|sources\.list(?:\.d/[^/]+)?|conanfile\.txt"
    r"|requirements[\w.-]*\.txt|pyproject\.toml|composer\.json|package\.json|Cargo\.toml|pom\.xml|(?:settings|build)\.gradle(?:\.kts)?)$",
    re.I,
)
_FOREIGN = lazy(
    r"^[^\n#]{0,200}\b(?:registry|registries|npmRegistryServer|index|index-url|source|replace-with|mirror|repositories|baseurl|deb"
    r"|channels|add key|find-links)\b[^\n]{0,200}http://(?!localhost|127\.|0\.0\.0\.0|\[::1\]|(?:\w+\.)?(?:debian|ubuntu)\.)",
    re.I | re.M,
)
_UNCHECKED = lazy(
    r"^[^\n#]{0,200}(?:\bstrict-ssl\s*[= ]\s*\"?false|\benableStrictSsl:\s*false|\bssl_verify:\s*(?:false|0)|:ssl_verify_mode:\s*0"
    r"|\bgpgcheck\s*=\s*0|\bsslverify\s*=\s*(?:0|false)|\btrusted\s*=\s*yes|\bunsafeHttpWhitelist:|--trusted-host\b"
    r"|^trusted-host\s*=|\"secure-http\"\s*:\s*false|\"disable-tls\"\s*:\s*true|\bverify_ssl\s*=\s*false"
    r"|^[\w-]{1,40}[ \t]{1,8}path:|=\s{0,4}[\"']path:"
    r"|^(?:script-shell|onload-script)\s*=|^yarnPath:\s{0,4}[\"']?(?:/(?:var/)?tmp/|https?:)"
    r"|\ballow-insecure-host\s{0,5}=\s{0,5}\[?\s{0,5}[\"']\w)",
    re.I | re.M,
)


_PROJECT = lazy(
    r"/(?:pyproject\.toml|package\.json|Cargo\.toml|pom\.xml|(?:settings|build)\.gradle(?:\.kts)?)$"
)
"""Where a source is also a link for people to read."""
_PINNED = lazy(
    r"^[ \t]{0,20}[\"']?(?:-[eif][ \t]{1,5})?(?:[\w.\[\],-]{1,80}[ \t]{0,5}@[ \t]{0,5})?(?:git\+)?http://(?!localhost|127\.)"
    r"|:[ \t]{0,5}\"(?:git\+http://(?!localhost|127\.)|http://(?!localhost|127\.)[^\"\n]{1,200}\.(?:tgz|tar\.gz|git|zip)\")"
    r"|\bgit[ \t]{0,5}[=:][ \t]{0,5}[\"']http://|<(?:repository|pluginRepository|mirror)>(?:[^<]|<(?!/|url>)|</(?!repo)){0,160}<url>http://"
    r"|\b(?:is)?[aA]llowInsecureProtocol\s{0,5}=\s{0,5}true"
    r"|\[\[[\w.]{0,40}(?:source|index)\]\][^\[]{0,300}?\burl\s{0,5}=\s{0,5}[\"']http://(?!localhost|127\.)",
    re.I | re.M,
)
"""A package at an address of its own, or a source that is written over several lines."""


def foreign_source(paths: Iterable[str], text: str) -> Outcome | None:
    """A question, if the text points a package manager to an unprotected address or takes its checks away."""
    kept = [path for path in paths if _SETTINGS.search(path)]
    if not kept:
        return None
    found = _UNCHECKED.search(text) or _PINNED.search(text)
    if found is None and not all(map(_PROJECT.search, kept)):
        found = _FOREIGN.search(text)
    if found is None:
        return None
    return Outcome(
        decision=Decision.ASK,
        reason="This setting takes packages from an address that nobody checks. They run code when installed.",
        rule="packages/foreign-source",
        system_message="A package manager would trust an unchecked source.",
        evidence=(Evidence(found[0].strip()[:80], detail="in the settings of a package manager"),),
        alternative="Keep the usual registry, reached over https.",
    )
