"""Files that are obeyed or run by whoever works in the project next, with an order in them that nobody would
write for himself: to send his keys or his variables away, to run what a bare address serves."""

from __future__ import annotations

import re

from fairlead.packs.places.lasting_instructions import instructs_agents
from fairlead.shell.lazy_pattern import lazy

_RECIPES = lazy(
    r"/(?:GNU)?[Mm]akefile$|/[^/]+\.mk$|/\.?[Jj]ustfile$|/[Tt]askfile\.ya?ml$|/Rakefile$|/\.envrc$|/\.(?:husky|githooks)/[^/]+$"
    r"|/Procfile$|/docker-entrypoint\.sh$|/\.vscode/(?:tasks|launch|settings)\.json$|/\.zed/tasks\.json$"
    r"|/(?:Docker|Container|Vagrant)file[^/]{0,40}$|/[^/]+\.(?:dockerfile|service)$|/(?:docker-)?compose[^/]{0,40}\.ya?ml$"
    r"|/\.?devcontainer(?:/[^/]+)?\.json$|/\.?lefthook[^/]{0,20}\.(?:ya?ml|toml|json)$|/\.pre-commit-config\.yaml$"
    r"|/(?:tox|mise|\.mise)\.(?:ini|toml)$|/\.idea/(?:workspace\.xml|runConfigurations/[^/]+)$|/devbox\.json$|/flake\.nix$"
)
_RUN_UNASKED = lazy(
    r"/\.(?:husky|githooks)/[^/]+$|/\.envrc$|/\.?lefthook[^/]{0,20}\.(?:ya?ml|toml|json)$|/\.pre-commit-config\.yaml$"
    r"|/\.(?:vscode|zed)/tasks\.json$|/\.?devcontainer(?:/[^/]+)?\.json$|/\.idea/workspace\.xml$"
)
"""What runs with a commit, with a folder that is opened or entered: nobody installs anything in it."""
_AT_HOST = lazy(r"\"initializeCommand\"\s{0,8}:[^}]{0,400}|\bfolderOpen\b|<component name=\"Startup")
"""Of editors: what runs on this machine and by itself, and not in a container or when somebody picks it."""
_FETCHED = lazy(
    r"\b(?:curl|wget)\b[^\n|]{1,300}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da)?sh\b"
    r"|\b(?:ba|z|da)?sh\b[^\n]{0,12}[<$]\(\s?(?:curl|wget)\b"
)
_EDITORS = lazy(r"/(?:\.vscode|(?:Code|Cursor|VSCodium|Windsurf)[^/]{0,40}/User)/settings\.json$")
_EDITOR_RUNS = lazy(
    r"\"task\.allowAutomaticTasks\"\s{0,8}:\s{0,8}\"on\"|\"security\.workspace\.trust\.enabled\"\s{0,8}:\s{0,8}false"
    r"|\"[\w.-]{0,60}(?:\bpath|Path|shell|profiles?)(?:\.\w{1,20})?\"\s{0,8}:[^,]{0,120}?\"/(?:tmp|var/tmp|dev/shm)/"
)
"""A program that an editor starts, where anybody may have put one; or that it asks nobody before it starts some."""
_PACKAGES_OF_OTHERS = lazy(
    r"/node_modules/.+\.[cm]?[jt]s$|/(?:site|dist)-packages/.+\.(?:py|pth)$|/vendor/.+\.(?:php|rb|go|js)$"
    r"|/(?:gems|\.cargo/registry|go/pkg/mod)/.+\.(?:rb|rs|go)$"
)
_PUBLIC = (
    r"(?!(?:127|10)\.|0\.0\.0\.0|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"
)
_SENDERS = r"\b(?:curl|wget|nc|ncat|netcat|socat|telnet|openssl s_client|http|xh)\b"
_KEYS = (
    r"(?:(?:~|\$\{?HOME\}?|/home/\w{1,32}|/root|/Users/\w{1,32})/\.(?:ssh|aws|gnupg|kube|netrc|docker|azure|npmrc|pypirc|git-credentials"
    r"|config/(?:gh|gcloud))|\bid_(?:rsa|ed25519)\b)"
)
_ORDERS = lazy(
    rf"{_SENDERS}[^\n|]{{0,200}}\bhttps?://{_PUBLIC}[^\n]{{0,120}}\|\s{{0,4}}(?:sudo\s)?\s{{0,4}}(?:ba|z|da)?sh\b"
    rf"|\b(?:ba|z|da)?sh\b[^\n]{{0,12}}[<$]\(\s?{_SENDERS}[^\n]{{0,120}}\bhttps?://{_PUBLIC}"
    rf"|(?<![\w./-])(?:env|printenv|export -p|set)\s{{0,4}}\|[^\n`;]{{0,120}}?{_SENDERS}"
    rf"|{_SENDERS}[^\n`;]{{0,160}}?[@=<\s\"']{_KEYS}|{_KEYS}[^\n`;]{{0,80}}\|[^\n`;]{{0,80}}?{_SENDERS}"
    rf"|/dev/tcp/{_PUBLIC}/|\b(?:nc|ncat)\b[^\n]{{0,40}}\s-[a-z]{{0,4}}e\s{{0,4}}/bin/"
    rf"|\b(?:urlopen|urlretrieve|requests\.(?:get|post|put)|fetch|https?\.(?:get|request)|axios)\b[^\n]{{0,40}}https?://{_PUBLIC}"
    rf"[^\n]{{0,200}}\b(?:exec|eval|environ|process\.env)\b"
    rf"|\b(?:exec|eval)\b[^\n]{{0,80}}\b(?:urlopen|requests\.get|fetch)\b[^\n]{{0,40}}https?://"
)
"""None of them is needed where the text only says how something is installed: that has a name, and is shown."""


def is_planted_in(path: str) -> bool:
    """Whether others run or obey what stands in the file, without having read it."""
    return bool(
        _RECIPES.search(path)
        or _RUN_UNASKED.search(path)
        or _EDITORS.search(path)
        or _PACKAGES_OF_OTHERS.search(path)
        or instructs_agents(path)
    )


def planted_order(text: str, path: str = "") -> str:
    text = text.replace("\\n", "\n")
    found = _ORDERS.search(text) or _fetched_unasked(text, path)
    return found[0].strip()[:80] if found else ""


def _fetched_unasked(text: str, path: str) -> re.Match[str] | None:
    """A script from anywhere that a hook or an editor would start."""
    if _EDITORS.search(path):
        return _EDITOR_RUNS.search(text)
    if not _RUN_UNASKED.search(path):
        return None
    if not path.endswith((".json", ".xml")) or "lefthook" in path:
        return _FETCHED.search(text)
    begins = _AT_HOST.search(text)
    if begins is None:
        return None
    return _FETCHED.search(begins[0]) if begins[0].startswith('"init') else _FETCHED.search(text)
