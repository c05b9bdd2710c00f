"""npm and its kin: which scripts of `package.json` a command runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import field, line_of, text_of
from fairlead.shell.following.recipe_files.packages.workspaces import (
    Package,
    chosen,
    nearest_package,
    workspaces,
)
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.running import SHELLS
from fairlead.shell.script import program_name
from fairlead.shell.word_sets import names

_RUN = names("run run-script rum urn")
_INSTALL = names(
    """
    install i in ins inst insta instal isnt isnta isntal isntall ci clean-install ic install-clean
    isntall-clean install-test it cit sit install-ci-test link ln rebuild rb update up upgrade udpate import
    """
)
_ADD = names("add")
"""What installs packages by name; npm runs no script of the project then."""
_AT_INSTALL = "preinstall install postinstall prepublish preprepare prepare postprepare"
_LIFECYCLE = {
    **dict.fromkeys(_INSTALL | _ADD, _AT_INSTALL),
    **dict.fromkeys(("test", "t", "tst"), "pretest test posttest"),
    "start": "prestart start poststart",
    "stop": "prestop stop poststop",
    "restart": "prerestart prestop stop poststop prestart start poststart restart postrestart",
    "publish": "prepublishOnly prepack prepare postpack publish postpublish",
    "pack": "prepack prepare postpack",
    "version": "preversion version postversion",
    "uninstall": "preuninstall uninstall postuninstall",
}  # fmt: skip
"""Commands, and the scripts that they run if there are such."""
_TESTS_TOO = names("install-test it cit sit install-ci-test")
_NOT_A_SCRIPT = names("exec x dlx create init config set get view info why outdated audit login logout help")
_RECURSIVE = ("-r", "--recursive", "--workspaces", "-ws", "--ws", "-A", "--all")
_NAMED = ("-w", "--workspace", "--filter", "-F", "--scope")
_SCRIPT_SHELL = lazy(r"(?m)^\s*script-shell\s*=\s*[\"']?([^\"'\n]+?)[\"']?\s*$")
_SCRIPT = lazy(r"(?:npm|yarn|pnpm|bun|node):([^\s]+)")
_MOST_SCRIPTS = 100


def read_scripts(project: Project) -> Iterator[Step]:
    """Of `npm`, `pnpm`, `yarn` and `bun`."""
    if project.given.has("--ignore-scripts", "--help", "-h", "--version", "-v"):
        return
    words = [word.text for word in project.operands]
    packages = list(_packages(project, words))
    if words[:1] == ["workspace"]:
        words = words[2:]
    elif words[:1] == ["workspaces"]:
        words = [word for word in words[1:] if word != "foreach"]
    elif words[:1] in (["recursive"], ["multi"]):
        words = words[1:]
    for package in packages:
        for name in _scripts_of(project, package, words):
            yield from script_steps(project, package, name, _arguments(project, name))


def _packages(project: Project, words: list[str]) -> Iterator[Package]:
    """The packages that the command is about."""
    wanted = [word.text for name in _NAMED for word in project.given.values.get(name, ())]
    if words[:1] == ["workspace"]:
        wanted += words[1:2]
    several = words[:1] in (["workspaces"], ["recursive"], ["multi"]) or project.given.has(*_RECURSIVE)
    if project.given.has("-g", "--global"):
        return
    own = nearest_package(project)
    if not (wanted or several):
        if own is not None:
            yield own
            if words[:1] and words[0] not in _INSTALL:
                return
        yield from workspaces(project) if not words or words[0] in _INSTALL else ()
        return
    yield from chosen(list(workspaces(project)), wanted, project) if wanted else workspaces(project)
    if own is not None and several:
        yield own


def _scripts_of(project: Project, package: Package, words: list[str]) -> Iterable[str]:
    """The names of the scripts that run, in order."""
    verb = words[0] if words else "install" if project.name == "yarn" else ""
    if verb in _RUN:
        if len(words) < 2:
            return ()
        if any(not word.known for word in project.operands[:2]) or words[1].startswith("/"):
            return list(package.scripts)[:_MOST_SCRIPTS]  # a name that is not known, or a pattern
        return _around(words[1])
    if verb in _LIFECYCLE and not (verb in _INSTALL | _ADD and len(words) > 1 and project.name == "npm"):
        tests = "pretest test posttest" if verb in _TESTS_TOO else ""
        return f"{_LIFECYCLE[verb]} {tests}".split()
    if verb in package.scripts and verb not in _NOT_A_SCRIPT and project.name != "npm":
        return _around(verb)
    return ()


def _around(name: str) -> list[str]:
    return [f"pre{name}", name, f"post{name}"]


def _arguments(project: Project, name: str) -> str:
    """What is passed on to the script of that name: what stands behind it."""
    texts = [word.text for word in project.words]
    if name not in texts:
        return ""
    rest = project.words[texts.index(name) + 1 :]
    if project.name == "npm":
        rest = rest[[word.text for word in rest].index("--") :] if any(w.text == "--" for w in rest) else []
    if rest and rest[0].text == "--":
        rest = rest[1:]
    return "".join(f" {project.source(word) if word.opaque else quote(word.text)}" for word in rest)


def script_steps(project: Project, package: Package, name: str, arguments: str = "") -> Iterator[Step]:
    """What one script of a package runs, where there is such a script."""
    text = text_of(package.scripts.get(name))
    if text:
        yield Step(
            _by_shell(project, package, f"{text}{arguments}"),
            f"{project.name} run {name}",
            folder=package.file.folder,
            variables={"npm_lifecycle_event": name, "INIT_CWD": project.folder},
            path=package.file.path,
            line=line_of(package.file.text, f'"{name}"'),
        )


def _by_shell(project: Project, package: Package, text: str) -> str:
    """The settings of the project may name a program that runs all scripts."""
    settings = project.file(f"{package.file.folder}/.npmrc")
    told = _SCRIPT_SHELL.search(settings.text) if settings is not None else None
    shell = told[1] if told else text_of(field(package.manifest, "config", "script-shell"))
    return f"{shell} -c {quote(text)}" if shell and program_name(shell) not in SHELLS else text


def read_node(project: Project) -> Iterator[Step]:
    """`node --run build`."""
    word = project.given.value("--run")
    package = nearest_package(project) if word is not None else None
    if word is not None and package is not None:
        yield from script_steps(project, package, word.text)


def read_named(project: Project) -> Iterator[Step]:
    """`concurrently "npm:build-*"`: operands that name scripts of the package."""
    package = nearest_package(project) if any(_SCRIPT.match(word.text) for word in project.operands) else None
    for word in project.operands if package is not None else ():
        assert package is not None
        named = _SCRIPT.match(word.text)
        for name in list(package.scripts)[:_MOST_SCRIPTS] if named else ():
            if named and fnmatchcase(name, named[1]):
                yield from script_steps(project, package, name)


def read_several(project: Project) -> Iterator[Step]:
    """`run-s build:* test`: every operand is a script of the package, or a pattern of their names."""
    package = nearest_package(project)
    for word in project.operands if package is not None else ():
        assert package is not None
        for name in list(package.scripts)[:_MOST_SCRIPTS]:
            if word.opaque or fnmatchcase(name, word.text.split(" ", 1)[0].removeprefix("npm:")):
                for each in _around(name):
                    yield from script_steps(project, package, each)
