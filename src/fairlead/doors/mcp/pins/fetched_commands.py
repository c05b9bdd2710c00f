"""Commands that fetch a server anew, or have an interpreter run a file: what of them stays, as data."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from fairlead.model.value import Value
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names


class Fetcher(Value):
    """A program that fetches what it runs. Its first word that is no option, behind `verbs`, says what."""

    program: str
    verbs: tuple[tuple[str, ...], ...]
    exact: re.Pattern[str]
    """What a word looks like that names one version for good."""
    valued: Collection[str]
    """Options whose value is the next word."""
    named_by: tuple[str, ...]
    """Options whose value is what is fetched; what follows is a program of it."""
    instead: str
    fetches: tuple[str, ...]
    """Commands that fetch whatever is newest by then."""
    keeps: tuple[str, ...]


_NPM = lazy(r"(?:@[^/@]+/)?[^/@]+@v?\d+\.\d+\.\d+[\w.+-]*|\.{0,2}/.*|file:.*")
_PYPI = lazy(r"[^@=]+(?:\[[^\]]*\])?(?:==|@)v?\d+(?:\.\d+)*[\w.+!-]*|\.{0,2}/.*")
_IMAGE = lazy(r".+@sha256:[0-9a-f]{64}")
_NPM_VALUED = ("--registry", "--cache", "--userconfig", "--prefix", "-w", "--workspace", "-c", "--call")
_UV_VALUED = (
    "--python",
    "-p",
    "--with",
    "--index",
    "--index-url",
    "--cache-dir",
    "--env-file",
    "--directory",
)
_DOCKER_VALUED = names(
    "-e --env --env-file -v --volume --mount --name --network --net -p --publish -u --user -w --workdir "
    "--entrypoint --platform --add-host -l --label --memory -m --cpus --pull --runtime --gpus -h --hostname"
)
FETCHERS = (
    Fetcher(
        "npx",
        ((),),
        _NPM,
        _NPM_VALUED,
        ("-p", "--package"),
        "name@1.2.3",
        ("npx -y @scope/server", "npx @scope/server@latest", "npx -y server@^1.2", "npx -p server run-it"),
        ("npx -y @scope/server@1.2.3", "npx ./server", "npx --package=server@2.0.1 run-it"),
    ),
    Fetcher(
        "npm", (("exec",), ("x",)), _NPM, _NPM_VALUED, ("-p", "--package"), "name@1.2.3",
        ("npm exec -- server", "npm x server@next"), ("npm exec -- server@1.0.0", "npm start"),
    ),
    Fetcher(
        "pnpm", (("dlx",),), _NPM, _NPM_VALUED, ("--package",), "name@1.2.3",
        ("pnpm dlx server",), ("pnpm dlx server@1.2.3", "pnpm start"),
    ),
    Fetcher(
        "yarn", (("dlx",),), _NPM, _NPM_VALUED, ("-p", "--package"), "name@1.2.3",
        ("yarn dlx server",), ("yarn dlx server@1.2.3",),
    ),
    Fetcher(
        "bunx", ((),), _NPM, (), ("-p", "--package"), "name@1.2.3",
        ("bunx server",), ("bunx server@1.2.3",),
    ),
    Fetcher(
        "uvx", ((),), _PYPI, _UV_VALUED, ("--from",), "name==1.2.3",
        ("uvx mcp-server-git", "uvx mcp-server-git@latest", "uvx --from git+https://x.example/r server"),
        ("uvx mcp-server-git@2026.10.1", "uvx --from mcp-server-git==1.0 server", "uvx --python 3.12 x==1.0"),
    ),
    Fetcher(
        "uv", (("tool", "run"),), _PYPI, _UV_VALUED, ("--from",), "name==1.2.3",
        ("uv tool run mcp-server-git",), ("uv tool run mcp-server-git==1.0", "uv run server.py"),
    ),
    Fetcher(
        "pipx", (("run",),), _PYPI, ("--python", "--pip-args", "--index-url"), ("--spec",), "name==1.2.3",
        ("pipx run mcp-server-git",), ("pipx run --spec mcp-server-git==1.0 mcp-server-git",),
    ),
    Fetcher(
        "docker", (("run",), ("container", "run")), _IMAGE, _DOCKER_VALUED, (), "image@sha256:…",
        ("docker run -i --rm -e TOKEN mcp/github", "docker run mcp/github:1.2"),
        (f"docker run -i --rm mcp/github@sha256:{'0' * 64}", "docker exec -i box server"),
    ),
)  # fmt: skip
_INTERPRETERS = lazy(
    r"(?:python|pypy|ruby|perl|php|lua)[\d.]*w?|node(?:js)?|deno|bun|tsx|ts-node|java|dotnet|uv"
    r"|bash|sh|dash|zsh|osascript"
)
_RUN_WORDS = names("run exec -jar")
_CODE = names("-c -e -m -p --eval --print")
"""Behind these stands no file."""
_VALUED = names("-r --require --import --loader -W -X --directory --project --python --with -cp --config")
"""Options of interpreters whose value is the next word."""
_LAUNCHERS = ("", ".exe", ".cmd")


def fetched_anew(command: Sequence[str]) -> str:
    """What a start of the server fetches without a version that stays, and how to say one; or ""."""
    if not command:
        return ""
    program = _name(command[0])
    for fetcher in FETCHERS:
        if fetcher.program == program:
            for verbs in fetcher.verbs:
                if tuple(command[1 : 1 + len(verbs)]) == verbs:
                    return _unpinned(fetcher, command[1 + len(verbs) :])
    return ""


def _unpinned(fetcher: Fetcher, words: Sequence[str]) -> str:
    what = _fetched(fetcher, words)
    if not what or fetcher.exact.fullmatch(what):
        return ""
    return f"{what} is fetched anew without a version that stays; write {fetcher.instead}"


def _fetched(fetcher: Fetcher, words: Sequence[str]) -> str:
    rest = iter(words)
    for word in rest:
        option, _, value = word.partition("=")
        if option in fetcher.named_by:
            return value or next(rest, "")
        if word in fetcher.valued:
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return ""


def script_of(command: Sequence[str]) -> str:
    """The word that names the file which an interpreter is told to run; "" for any other command."""
    if not command or not _INTERPRETERS.fullmatch(_name(command[0])):
        return ""
    rest = iter(command[1:])
    for word in rest:
        if word in _CODE:
            return ""
        if word in _VALUED:
            next(rest, None)
        elif word not in _RUN_WORDS and not word.startswith("-"):
            return word
    return ""


def _name(program: str) -> str:
    name = program.replace("\\", "/").rsplit("/", 1)[-1].lower()
    return next((name.removesuffix(end) for end in _LAUNCHERS[1:] if name.endswith(end)), name)
