"""What a command acts on, and where that is.

A target is judged twice, as written and with its symbolic links followed, and the place that protects more
wins: neither `/tmp/../etc` nor a link out of `/tmp` counts as temporary.
"""

from __future__ import annotations

import os.path
import re
from enum import IntEnum

from fairlead.model.value import Value
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.mounts import host_path, work_folder
from fairlead.shell.places.paths import normal
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.world import is_folder, real_path
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Kind
from fairlead.shell.word_sets import names


class Place(IntEnum):
    """Where a target is. Where two readings of a path differ, the higher one is taken."""

    SINK = 0
    """`/dev/null`, the terminal, standard streams."""
    REMOTE = 1
    """On another machine, or inside a container."""
    TEMPORARY = 2
    GENERATED = 3
    """In the project, under a name that only tools write to: `build`, `node_modules`, `*.pyc`."""
    CACHE = 4
    """A cache in the home directory that its tool fills again."""
    PROJECT = 5
    LOCAL = 6
    """`/usr/local` and `/opt`: what people install by hand."""
    UNKNOWN = 7
    OUTSIDE = 8
    TEMPORARY_ROOT = 9
    HOME = 10
    PROJECT_ROOT = 11
    VCS = 12
    GUARD = 13
    """What Fairlead itself keeps."""
    SYSTEM = 14
    HOME_ROOT = 15
    ROOT = 16
    DEVICE = 17
    REMOTE_ROOT = 18
    """An absolute path on another machine or in a container, or all that is in its working directory."""


class Target(Value):
    """`path` is absolute, empty when unknown; `everything`: the word covers all that is in `path`."""

    word: Word
    path: str
    place: Place
    real: str = ""
    everything: bool = False
    pattern: str = ""

    @property
    def shown(self) -> str:
        return self.path or self.word.text or "an unknown target"


_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders")  # noqa: S108
_LONGEST_PATH = 4096
_SINKS = frozenset(
    f"/dev/{name}"
    for name in ("null", "stdout", "stderr", "stdin", "tty", "zero", "full", "random", "urandom")
)
_TERMINALS = lazy(r"/dev/(?:tty(?:S|AMA)?\d+|[pt]ty[p-za-e][\da-f]|hvc\d+|console)\Z")
"""Where a screen or a log shows what is written: nothing is kept there that could be lost."""
_SYSTEM = names(
    """
    bin boot etc lib lib32 lib64 libx32 proc root run sbin sys usr var srv System Library
    Applications private snap selinux lost+found cores Volumes Windows
    """
)
_LOCAL = ("/usr/local", "/opt", "/home/linuxbrew")
_IN_CACHES = tuple(
    f"{folder}/"
    for folder in names(
        """
    .cache .npm .yarn/cache .pnpm-store .cargo/registry .cargo/git .gradle/caches .m2/repository
    .nuget/packages .ivy2/cache .gem/cache go/pkg .bun/install/cache
    .local/share/virtualenvs .deno Library/Caches Library/Developer/Xcode/DerivedData .cocoapods
    .pyenv/cache .rustup/downloads .ccache .composer/cache
    """
    )
)
_GENERATED = names(
    """
    build dist out output target node_modules
    package-lock.json pnpm-lock.yaml npm-shrinkwrap.json go.sum
    bower_components __pycache__ .pytest_cache .mypy_cache
    .ruff_cache .hypothesis .tox .nox .venv venv env .eggs htmlcov coverage .nyc_output .next .nuxt
    .svelte-kit .output .angular .parcel-cache .turbo .cache .gradle .dart_tool .bundle _build _site
    .docusaurus storybook-static test-results playwright-report allure-results reports logs log tmp
    temp .tmp .temp obj CMakeFiles zig-cache zig-out .zig-cache .serverless cdk.out .aws-sam
    .terraform elm-stuff DerivedData Pods deps _deps .stack-work dist-newstyle .cabal-sandbox
    .coverage .DS_Store nohup.out Thumbs.db tsconfig.tsbuildinfo .eslintcache .stylelintcache core
    a.out .ipynb_checkpoints .pyre .pytype .benchmarks wheelhouse pip-wheel-metadata .yarn .pnp.cjs
    .vite .wrangler .vercel .netlify .expo screenshots snapshots __snapshots__ generated gen debug
    Debug Release release bin results artifacts .artifacts
    """
)
_GENERATED_PATTERN = lazy(
    r"(?:\.(?:py[cod]|o|obj|a|so|dylib|dll|exe|class|jar|war|log|tmp|temp|bak|orig|rej|swp|swo|cache|pid|lock|out|"
    r"egg-info|dist-info|whl|map|tsbuildinfo|gcda|gcno|gcov|profraw|prof|dump|zip|tgz|gz|old|coverage)|~)$"
    r"|^(?:cmake-build-|build-|dist-|coverage|tmp[-_.]|temp[-_.]|\.coverage|npm-debug|yarn-error|bazel-)",
    re.IGNORECASE,
)
_BEGUN_BY_TOOLS = lazy(
    r"cmake-build-|build-|dist-|coverage|tmp[-_.]|temp[-_.]|npm-debug|bazel-", re.IGNORECASE
)
IN_EVERY_HOME = (".config/fairlead", ".local/state/fairlead", ".local/share/fairlead")
_OWN = lazy(
    r"/(?:\.config|\.local/state|\.local/share)/fairlead(?:/|$)|/bin/fairlead(?:-hook)?$|/fairlead-hook$|/site-packages/fairlead(?:/|$)|^/(?:etc|var/lib)/fairlead(?:/|$)"
    r"|^/run/user/\d+/fairlead(?:/|$)|/fairlead-\d+(?:/|$)"
)
_DRIVE = lazy(r"^[A-Za-z]:(?:[\\/]|$)")
_WILD = lazy(r"[*?\[]|[!@+]\(")
_EVERYTHING = lazy(r"^[*?.!^\[\]{},@()+|]*[*?][*?.!^\[\]{},@()+|]*$|^\.?\[\^?!?\.?\]\*$")


def resolve(word: Word, command: Command, where: Surroundings) -> Target:
    """The target that `word` names for `command`."""
    known = not word.opaque
    text = word.text if known else word.prefix
    if command.wrappers and any(wrapper.place for wrapper in command.wrappers):
        here = _mounted(word, text, command)
        if here is None:
            return _remote(word, text, command)
        word, text = here, here.text
    if not (known or text) or "\0" in text:
        return Target(word, "", Place.GENERATED if _ends_in_build_output(word) else Place.UNKNOWN)
    if not text:  # no file has this name
        return Target(word, "", Place.SINK)
    if text[1:2] == ":" and _DRIVE.match(text):
        return Target(word, text, Place.SYSTEM)
    if text.startswith("/proc/"):
        text = _outside_process(text, command.cwd)
    if not text.startswith("/"):
        if command.cwd is None:
            made = known and is_build_output(text)
            return Target(word, "", Place.GENERATED if made else Place.UNKNOWN)
        text = f"{command.cwd}/{text}"
        if _WILD.search(command.cwd) and not is_folder(command.cwd):
            return _pattern(word, text, where)
    if not known:
        found = _partly_known(word, text, where)
        return _led_out(word, text, found, where) if ".." in word.text else found
    return (
        _pattern(word, text, where) if word.glob and _WILD.search(text) else exact_target(word, text, where)
    )


_BUILD_OUTPUT = lazy(
    r"/(?:node_modules|dist|build|target|coverage|htmlcov|__pycache__|\.(?:next|nuxt|turbo|tox|nox|eggs|gradle"
    r"|(?:pytest|mypy|ruff|parcel)_?-?cache|nyc_output|svelte-kit))/?"
)


def is_build_output(path: str) -> bool:
    """Whether this is a folder, seen from wherever, that every project of its kind keeps its output in."""
    return _BUILD_OUTPUT.fullmatch(f"/{path.removeprefix('./')}") is not None


_OWN_PROCESS = lazy(r"/proc/(?:self|thread-self|\d+)(?:/task/[^/]+)?/(cwd|root)(?=/|$)")


def _outside_process(text: str, cwd: str | None) -> str:
    """`/proc/self/cwd/x` is `x`, and `/proc/self/root/etc` is `/etc`."""
    own = _OWN_PROCESS.match(text)
    if own is None:
        return text
    rest = text[own.end() :].lstrip("/")
    return f"/{rest}" if own[1] == "root" else f"{cwd}/{rest}" if cwd else rest or "."


def _ends_in_build_output(word: Word) -> bool:
    """`"$ROOT/node_modules"`: whatever the variable holds, even nothing, nobody keeps files there."""
    if len(word.pieces) != 2:
        return False
    (_, unset), (shown, unknown) = word.pieces
    of_environment = unset is not None and unset.only(*_FROM_ENVIRONMENT)
    return of_environment and unknown is None and _BUILD_OUTPUT.fullmatch(shown) is not None


_FROM_ENVIRONMENT = (Kind.UNSET, Kind.DEPENDS_ON_ENVIRONMENT, Kind.ENVIRONMENT)


def _mounted(word: Word, text: str, command: Command) -> Word | None:
    """The word that names the same file here, where a container has it from this machine."""
    if not word.known or not text:
        return None
    folder = "" if text.startswith("/") else command.cwd or work_folder(command)
    path = host_path(normal(f"{folder}/{text}"), command) if folder or text.startswith("/") else ""
    return word.replace(text=path) if path else None


def _remote(word: Word, text: str, command: Command) -> Target:
    """On another machine only the words are known: what is absolute there, and what tools generate."""
    path = normal(text) if text.startswith("/") else ""
    if not path and command.cwd is not None and text:
        path = normal(f"{command.cwd}/{text}")
    if (
        path.startswith("/dev/")
        and path not in _SINKS
        and not path.startswith(("/dev/shm", "/dev/fd", "/dev/tcp"))  # noqa: S108
    ):
        return Target(word, path, Place.DEVICE)
    parts = [part for part in (path or text).split("/") if part]
    passing = path.startswith(_TEMPORARY) and path not in _TEMPORARY
    if passing or "cache" in parts or any(is_generated(part) for part in parts):
        return Target(word, path, Place.TEMPORARY)
    place = Place.REMOTE_ROOT if path or text.startswith(("~", "..", "*", ".")) else Place.REMOTE
    return Target(word, path or text, place if word.known else Place.UNKNOWN)


def exact_target(word: Word, text: str, where: Surroundings) -> Target:
    """What no system call takes, for its length or a NUL in it, leads nowhere."""
    lexical = normal(text)
    place = _classify(lexical, where)
    if place is Place.SINK:
        return Target(word, lexical, place, lexical)
    real = lexical if len(lexical) > _LONGEST_PATH or "\0" in lexical else real_path(lexical)
    if real != lexical:
        place = max(place, _classify(real, where))
    return Target(word, lexical, place, real)


def _pattern(word: Word, text: str, where: Surroundings) -> Target:
    """A glob stands for any child of its fixed part; the fixed part itself where it covers everything."""
    parts = text.split("/")
    first = next(i for i, part in enumerate(parts) if _WILD.search(part))
    if ".." in parts[first:]:  # `build/*/../..` leads out of `build`
        text = normal(text)
        return _pattern(word, text, where) if _WILD.search(text) else exact_target(word, text, where)
    fixed = exact_target(word, "/".join(parts[:first]) or "/", where)
    rest = parts[first:]
    everything = all(_EVERYTHING.match(part) or part.startswith("!(") for part in rest if part)
    if fixed.path == "/":
        return Target(word, "/", Place.SYSTEM, fixed.real, everything, "/".join(rest))
    place = fixed.place
    if place is Place.PROJECT_ROOT and not everything:
        place = _inside_project("/".join(rest))
    elif place is Place.TEMPORARY_ROOT and not everything:
        place = Place.TEMPORARY
    elif place is Place.HOME_ROOT and not everything:
        place = Place.HOME
    elif place is Place.PROJECT and ".." not in rest and _inside_project("/".join(rest)) is Place.GENERATED:
        place = Place.GENERATED
    return Target(word, fixed.path, place, fixed.real, everything, "/".join(rest))


def _partly_known(word: Word, text: str, where: Surroundings) -> Target:
    """Only the beginning is known: it is at best what that beginning is, and where that is safe, unknown."""
    folder, _, begun = text.rpartition("/")
    known = exact_target(word, folder or "/", where)
    if known.path in _TEMPORARY and known.place is Place.SYSTEM:  # the project stands somewhere below
        other = bool(begun) and not where.project.startswith(text)
        return known.replace(place=Place.TEMPORARY) if other else Target(word, "", Place.UNKNOWN)
    safe = known.place in (Place.TEMPORARY, Place.TEMPORARY_ROOT, Place.GENERATED, Place.CACHE, Place.SINK)
    if safe:
        return known.replace(place=Place.TEMPORARY if known.place is Place.TEMPORARY_ROOT else known.place)
    if known.place in (Place.PROJECT, Place.PROJECT_ROOT):
        made = begun in _GENERATED or bool(_BEGUN_BY_TOOLS.match(begun))
        return known.replace(place=Place.GENERATED) if made else Target(word, "", Place.UNKNOWN)
    return known


def _led_out(word: Word, text: str, found: Target, where: Surroundings) -> Target:
    """`build/$X/../..` leads out of `build`, whether the variable holds a name or nothing."""
    for name in ("x", ""):
        whole = "".join(shown if unknown is None else name for shown, unknown in word.pieces)
        rest = whole[len(word.prefix) :]
        if ".." in rest.split("/"):
            found = max(found, exact_target(word, text + rest, where), key=_place)
    return found


def _place(target: Target) -> Place:
    return target.place


def _classify(path: str, where: Surroundings) -> Place:
    if path == "/":
        return Place.ROOT
    if path.startswith("/dev/") and not path.startswith("/dev/shm"):  # noqa: S108
        return (
            Place.SINK
            if path in _SINKS
            or path.startswith(("/dev/fd/", "/dev/tcp/", "/dev/udp/"))
            or _TERMINALS.match(path)
            else Place.DEVICE
        )
    below = f"{path}/"
    if below.startswith(where.in_guard) and not _is_free(below, where):
        return Place.GUARD
    if "fairlead" in path and _OWN.search(path):
        return Place.GUARD
    project = where.project
    if project:
        if path == project:
            return Place.PROJECT_ROOT
        if path.startswith(project + "/"):
            return _inside_project(path[len(project) + 1 :])
        if project.startswith(below):
            return Place.HOME_ROOT if _is_home(path, where) else Place.SYSTEM
    return _elsewhere(path, where)


def _is_free(below: str, where: Surroundings) -> bool:
    return any(below.startswith(f"{folder}/") for folder in where.installation.free)


def is_generated(name: str) -> bool:
    """Whether only tools write files of this name."""
    return name in _GENERATED or bool(_GENERATED_PATTERN.search(name))


def _inside_project(relative: str) -> Place:
    parts = relative.split("/")
    if ".git" in parts or parts[0] in (".hg", ".svn", ".jj"):
        return Place.VCS
    if parts[0] == ".fairlead":
        return Place.GUARD
    if not _GENERATED.isdisjoint(parts) or _GENERATED_PATTERN.search(parts[-1]):
        return Place.GENERATED
    return Place.PROJECT


def _elsewhere(path: str, where: Surroundings) -> Place:
    for temporary in _TEMPORARY:
        if path == temporary:
            return Place.TEMPORARY_ROOT
        if path.startswith(temporary + "/"):
            return Place.TEMPORARY
    if _is_home(path, where):
        return Place.HOME_ROOT
    home = home_containing(path, where)
    if home:
        inside = f"{path[len(home) + 1 :]}/"
        return Place.CACHE if inside.startswith(_IN_CACHES) else Place.HOME
    if path.startswith(("/var/cache/", "/var/lib/apt/lists/")):
        return Place.CACHE
    if path.startswith(_LOCAL):
        return Place.SYSTEM if path in _LOCAL else Place.LOCAL
    if path.lstrip("/").partition("/")[0] not in _SYSTEM or _is_beside_project(path, where):
        return Place.OUTSIDE
    return Place.SYSTEM


def _is_beside_project(path: str, where: Surroundings) -> bool:
    """A neighbour of a project that is kept in `/srv` or `/var/www` is no more of the system than it is."""
    above = os.path.dirname(where.project)
    return (above == "/srv" or above.count("/") > 1) and path.startswith(above + "/")


def _is_home(path: str, where: Surroundings) -> bool:
    return (
        path == where.home
        or path in ("/home", "/Users", "/root")
        or path == home_containing(path + "/x", where)
    )


def home_containing(path: str, where: Surroundings) -> str:
    if where.home and path.startswith(where.home + "/"):
        return where.home
    if path.startswith(("/home/", "/Users/")):
        return "/".join(path.split("/", 3)[:3]) if path.count("/") >= 3 else ""
    return "/root" if path.startswith("/root/") else ""


def place_of(path: str, where: Surroundings) -> Place:
    """Where a path is that has no links in it, and no empty, `.` and `..` components."""
    return _classify(path, where)


def home_of(path: str, where: Surroundings) -> str:
    """The home that a path is in, or that it is; empty where it is in none."""
    return path if _is_home(path, where) else home_containing(path, where)
