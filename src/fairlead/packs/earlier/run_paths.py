"""The files and folders of which a command would run something, as far as its words tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.together.run_downloads import INSTALLERS, INTERPRETERS, executed_by
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Script, Word
from fairlead.shell.word_sets import names

_INSTALLING = names("npm pnpm yarn bun pip pip3 uv poetry pdm hatch bundle composer gem cargo go")
_NOT_RUNNING = names(
    """
    list ls view info show outdated why audit config help version --version -v -V -h --help freeze search
    metadata tree fmt vet doc mod env cache fetch download lock init
    """
)
"""What they can be told that runs nothing of the project."""
_MAKING = names("make gmake ninja just task")
_BUILDING = _MAKING | names(
    """
    rake ant mvn mvnw gradle gradlew bazel scons meson cmake tox nox pytest pre-commit invoke fab
    ansible-playbook vagrant
    """
)
_DRY = names("-n --dry-run --just-print --recon --list -l --version --help")
_TOLD_ONLY = names("--version --help")
_RUNNERS = names(
    "java deno bun tsx ts-node npx bunx pipx uvx dotnet mono wine julia swift elixir groovy scala kotlin osascript"
)
"""What runs a file that it is given somewhere among its words."""
_LOADED = names("LD_PRELOAD DYLD_INSERT_LIBRARIES BASH_ENV ENV PYTHONSTARTUP PERL5OPT RUBYOPT LD_AUDIT")
_LOADING = names("-r --require --import --loader -I --init-file --rcfile")
_PRINTING = names("cat tac head tail sed base64 zcat gunzip xzcat")
_DATA = lazy(
    r"\.(?:json|csv|tsv|txt|md|xml|html?|proto|sql|graphql|svg|png|jpe?g|pdf|parquet|avsc|xsd|wsdl)$"
)
"""What is worked on, and not run."""
RECIPES = names(
    """
    package.json Makefile makefile GNUmakefile justfile Justfile Taskfile.yml Taskfile.yaml setup.py pyproject.toml
    setup.cfg conftest.py pytest.ini tox.ini noxfile.py Cargo.toml build.rs Gemfile Rakefile composer.json build.gradle
    build.gradle.kts pom.xml Dockerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml
    .pre-commit-config.yaml tasks.py fabfile.py meson.build CMakeLists.txt BUILD WORKSPACE .npmrc
    """
)
"""What tells builders and installers in its folder what to run."""


_TAKING_FILES = INTERPRETERS | INSTALLERS | _RUNNERS | _BUILDING | _INSTALLING | names("docker podman")


def may_run_files(command: Command) -> bool:
    """Whether `run_paths` can find any: most commands run nothing but what is installed."""
    if command.assignments or command.name in _TAKING_FILES or command.name.startswith("python"):
        return True
    argv = command.argv
    if argv and ("/" in argv[0].text or argv[0].opaque):
        return True
    return any(word.text in _LOADING for word in argv)


def run_paths(command: Command, where: Surroundings) -> Iterator[str]:
    """By name, by an option that loads it, by the project that is built."""
    for path in executed_by(command, where):
        yield real(path, command, where)
    texts = [word.text for word in command.argv[1:]]
    if command.name in _RUNNERS:
        yield from (
            real(text, command, where) for text in texts if text[:1] != "-" and not _DATA.search(text)
        )
    for index, text in enumerate(texts[:-1]):
        if text in _LOADING:
            yield real(texts[index + 1], command, where)
        elif text == "-m" and command.name.startswith("python"):
            yield from _module(texts[index + 1], command, where)
            break
    for name in _LOADED & command.assignments.keys():
        yield real(command.assignments[name].text, command, where)
    if builds(command):
        yield from (real(text, command, where) for text in _operands(texts))


def _module(name: str, command: Command, where: Surroundings) -> Iterator[str]:
    path = name.replace(".", "/")
    yield real(f"{path}.py", command, where)
    yield real(path, command, where)


def builds(command: Command) -> bool:
    """Whether it runs what the project in its folder says."""
    texts = [word.text for word in command.argv[1:]]
    if command.name in _BUILDING:
        return (_DRY if command.name in _MAKING else _TOLD_ONLY).isdisjoint(texts)
    if command.name in _INSTALLING:
        return _NOT_RUNNING.isdisjoint(texts[:1]) and bool(texts or command.name in ("yarn", "bun"))
    return command.name in ("docker", "podman") and texts[:1] in (["build"], ["compose"])


def _operands(texts: Sequence[str]) -> Iterator[str]:
    """What it is given, but for data; a list of requirements is none."""
    before = ""
    for text in texts:
        given = text.rpartition("=")[2] if text.startswith("-") else text
        if given and (not _DATA.search(given) or before in ("-r", "--requirement", "-c", "-f", "--file")):
            yield given
        before = text


def read_files(script: Script) -> Iterator[str]:
    """The files that were found to run when the call was read."""
    yield from (run.path for run in script.files)
    yield from (unread.path for unread in script.unread)


def printed_files(script: Script) -> Iterator[str]:
    """`cat x | bash`, `eval "$(cat x)"`."""
    for part in script.opaque:
        for stage in part.unknown.commands() if part.executed else ():
            if stage and stage[0] in _PRINTING:
                yield from stage[1:]


LOADS = lazy(r"\b(?:import|require|exec|execfile|run_path|load|eval|CDLL|dlopen)\b")
"""How code takes in other code."""
_LOADING_CALL = (
    r"(?<![\w.])(?:require|import|exec|execfile|eval|load|do|CDLL|runpy\.run_path|run_path)\b[^\n;]{0,60}"
)
_CODE = lazy(r"\.(?:py|js|mjs|cjs|ts|rb|pl|pm|php|lua|so|dylib)$")


def is_loaded(path: str, code: str) -> bool:
    """Whether code takes in this file, by its name or as the module that it is."""
    name = path.rpartition("/")[2]
    if name.partition(".")[0] not in code:
        return False
    if re.search(rf"{_LOADING_CALL}[\"'/]{re.escape(name)}[\"']", code):
        return True
    if not _CODE.search(name):
        return False
    stem = re.escape(name.partition(".")[0])
    return bool(re.search(rf"\b(?:import|from)\s+(?:\w+\.)*{stem}\b|{_LOADING_CALL}[\"'/]{stem}[\"']", code))


def real(text: str, command: Command, where: Surroundings) -> str:
    target = resolve(Word(text), command, where)
    return target.real or target.path
