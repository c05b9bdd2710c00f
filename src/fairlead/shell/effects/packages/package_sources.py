"""Where packages come from, and whether anybody checks them."""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy

_ADDRESS = lazy(
    r"(?:\A|@ *|=)((?:https?://|(?:git|svn|hg|bzr)\+|git://|git@|ssh://|ftp://|s3://|file:|github:|gitlab:|bitbucket:|gist:).*)",
    re.IGNORECASE,
)
"""Where a package comes from, when it is no name: `git+https://…`, `name @ https://…`, `--from=git+ssh://…`."""

_KNOWN_SOURCES = {
    **dict.fromkeys(("pypi", "pythonhosted", "npmjs", "rubygems", "bitbucket", "pytorch", "golang"), "org"),
    **dict.fromkeys(("github", "gitlab", "yarnpkg"), "com"),
    "crates": "io",
    "goproxy": "io",
    "nuget": "org",
}
"""The domains that packages usually come from: each by its name and what stands behind the last dot."""


def is_foreign(word: str) -> bool:
    """Whether it names an address that packages do not usually come from."""
    found = _ADDRESS.search(word)
    return found is not None and not is_known_host(found[1])


def is_known_host(address: str) -> bool:
    if address.startswith(("github:", "gitlab:", "file:")):
        return True
    host = re.split(r"://|@", address, maxsplit=1)[-1].split("/")[0].split(":")[0].rpartition("@")[2]
    if host in ("localhost", "127.0.0.1"):
        return True
    name, _, top = host.rpartition(".")
    return _KNOWN_SOURCES.get(name.rpartition(".")[2]) == top


_TRUSTING = lazy(
    r"^(?:PIP_TRUSTED_HOST=.|GO(?:INSECURE|NOSUMDB|NOSUMCHECK)=.|GOSUMDB=off|GOFLAGS=.*insecure"
    r"|NODE_TLS_REJECT_UNAUTHORIZED=0|(?:PIP_(?:EXTRA_)?INDEX_URL|UV_(?:EXTRA_)?INDEX(?:_URL)?|npm_config_registry|YARN_REGISTRY"
    r"|GOPROXY|CARGO_REGISTRIES_\w+)=(?P<source>.*))",
    re.IGNORECASE,
)
"""Variables that say where packages come from, or that nobody shall check them."""


def is_trusting(assignment: str) -> bool:
    found = _TRUSTING.match(assignment)
    if found is None or found["source"] is None:
        return found is not None
    return any(
        "$" in source or ("://" in source and not is_known_host(source))
        for source in re.split(r"[,|\s]", found["source"])
    )
