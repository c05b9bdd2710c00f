"""Programs whose purpose is to print shell settings: `eval "$(ssh-agent -s)"` is an idiom, not a danger."""

from __future__ import annotations

import re
from functools import cache

from fairlead.shell.expansion.values import Partial
from fairlead.shell.normal_form import texts_text
from fairlead.shell.unknown import Unknown

_GENERATORS = r"""(?:\S*/)?(?:
      ssh-agent(?:\ -[sck])* | keychain(?:\ -\S+)*\ --eval.* | keychain\ --eval.*
    | (?:gh|glab|hub|kubectl|oc|helm|minikube|kind|k3d|k3s|docker|podman|nerdctl|npm|pnpm|yarn|pip|pip3|pipx
        |poetry|pdm|uv|uvx|hatch|ruff|rustup|cargo|deno|bun|gcloud|terraform|vault|op|flux|argocd|istioctl|stern
        |velero|skaffold|tilt|task|just|chezmoi|linkerd|kustomize|kompose|eksctl|doctl|flyctl|fly|heroku|ng|nx
        |tmuxp|mise|atuin|starship|zoxide|fnm|volta|pulumi|sops|age|step|dagger|buf|grpcurl|hugo|goreleaser|operator-sdk)
      \ (?:completions?|shell-completion|generate-shell-completion|gen-completions?)(?:\ [\w./=-]+)*
    | (?:direnv\ (?:hook|export) | (?:starship|zoxide|atuin|mcfly|navi)\ init
        | (?:pyenv|rbenv|nodenv|jenv|goenv|phpenv|plenv|luaenv|swiftenv)\ (?:init|virtualenv-init)
        | (?:mise|rtx)\ (?:activate|env|hook-env) | fnm\ env | brew\ shellenv | opam\ env | hub\ alias
        | (?:conda|mamba|micromamba)\ shell(?:\.\w+)?\ hook | docker-machine\ env
        | devbox\ (?:global\ )?shellenv
        | minikube\ (?:-p\ \S+\ )?(?:docker|podman)-env | aws\ configure\ export-credentials | op\ signin
        | luarocks\ path | poetry\ env\ activate | pdm\ venv\ activate | nix\ print-dev-env
      )(?:\ [\w./:=@-]+)*
    | (?!(?:cat|head|tail|sed|awk|grep|echo|printf|tee|sh|bash|zsh|python3?|node|perl|ruby|ssh|sudo|xargs)\ )
      [a-z][\w.-]{0,40}\ (?:--?)?(?:(?:shell|gen|generate|print|show|script)-)?completions?(?:-script)?
        [ =](?:-s\ |--shell[= ])?(?:bash|zsh|fish|sh|pwsh|powershell|elvish|nushell)
    | (?!(?:cat|head|tail|sed|awk|grep|echo|printf|tee|sh|bash|zsh|python3?|node|perl|ruby|ssh|sudo|xargs)\ )
      [a-z][\w.-]{0,40}\ (?:init|hook|activate|shellenv|shell-init)\ (?:-|bash|zsh|fish|sh)(?:\ --?[\w-]+)*
    | thefuck\ --alias(?:\ \w+)? | fzf\ --(?:bash|zsh) | register-python-argcomplete(?:\ [\w.-]+)+
    | dircolors(?:\ [\w./~-]+)* | lesspipe | resize | tset(?:\ [\w-]+)*
    | perl\ -I\S+\ -Mlocal::lib(?:=\S+)?
    )"""
"""Such programs, with arguments that are plain words."""


@cache
def _generators() -> re.Pattern[str]:
    """Compiled when it is first needed: most lines never ask."""
    return re.compile(_GENERATORS, re.X)


def prints_settings(text: Partial) -> bool:
    """Every unknown piece is the output of a program that prints shell settings."""
    return all(map(_is_settings, text.unknown.parts()))


def _is_settings(part: Unknown) -> bool:
    if not part.program or part.network:
        return False
    return _generators().fullmatch(texts_text(part.stages[-1])) is not None
