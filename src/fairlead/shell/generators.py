"""Programs whose purpose is to print shell settings: `eval "$(ssh-agent -s)"` is an idiom, not a danger."""

from __future__ import annotations

import re
from functools import cache

from fairlead.shell.script import NETWORK
from fairlead.shell.values import Partial

_GENERATORS = r"""the\ output\ of\ `(?:\S*/)?(?:
      ssh-agent(?:\ -[sck])*
    | keychain\b.*
    | (?:direnv|starship|zoxide|atuin|mcfly|navi|pyenv|rbenv|nodenv|jenv|goenv|phpenv|plenv|luaenv|swiftenv
        |pyenv-virtualenv|rtx|mise|fnm|volta|asdf|opam|conda|mamba|micromamba|nvm|gvm|sdk|thefuck|fzf|hub|gh
        |kubectl|helm|minikube|kind|k3d|oc|docker|docker-machine|podman|npm|pnpm|yarn|pip|pip3|pipx|poetry|pdm|uv
        |uvx|hatch|rustup|cargo|gcloud|aws|az|terraform|vault|op|flux|argocd|istioctl|stern|velero|skaffold|tilt
        |task|just|chezmoi|deno|bun|gitlab|glab|linkerd|kustomize|kompose|eksctl|doctl|flyctl|fly|heroku
        |luarocks|ng|tmuxp|register-python-argcomplete|devbox|nix|brew)\b
        .*\b(?:hook|export|init|env|shellenv|completions?|activate|virtualenv-init|docker-env|alias|path
        |bash|zsh|generate-shell-completion|generate-completion|print-dev-env|gen-completions?)\b[^|;&]*
    | thefuck\ --alias.* | fzf\ --(?:bash|zsh)
    | register-python-argcomplete\b.*
    | brew\ shellenv.* | dircolors\b.* | lesspipe\b.* | resize\b.* | tset\b.* | locale\b.*
    | perl\ .*-Mlocal::lib.*
    )`"""


@cache
def _generators() -> re.Pattern[str]:
    """Compiled when it is first needed: most lines never ask."""
    return re.compile(_GENERATORS, re.X)


def prints_settings(text: Partial) -> bool:
    """Every unknown piece is the output of a program that prints shell settings."""
    reasons = [reason for _, reason, _ in text.pieces if reason]
    return all(NETWORK not in reason and _generators().fullmatch(reason) is not None for reason in reasons)
