"""Files that programs bring from elsewhere: what runs one of them later runs code off the network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from operator import attrgetter
from types import MappingProxyType

from fairlead.model.value import Value
from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import file_text, unknown_output, write_file
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Word, program_name
from fairlead.shell.unknown import Kind
from fairlead.shell.word_sets import names

_REMOTE = lazy(r"(?!file:)(?:[a-z][a-z0-9+.-]+://|[\w.@-]{2,}:(?!\\)).+", re.I)
_NONE: frozenset[str] = frozenset()
_text_of = attrgetter("text")


class Fetcher(Value):
    """How a program's words say what it brings, and where that goes.

    `verbs`: the subcommands that fetch, any if empty; `outputs`: options that name the file; `folders`:
    options that name the folder; `named`: options that name what is fetched; `tree`: it brings a folder;
    `trees`: subcommands that do.
    """

    verbs: frozenset[str] = _NONE
    outputs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    tree: bool = False
    trees: frozenset[str] = _NONE


_OUTPUTS = ("-o", "-O", "--output", "--out", "--output-document", "--outfile")
_COPIES = Fetcher(
    names("cp copy copyto mv move moveto sync rsync mirror get pull scp download download-file")
)
_ADDRESS = Fetcher(outputs=_OUTPUTS, folders=("-d", "--dir", "-P", "--directory-prefix"))
_CLONES = Fetcher(names("clone checkout co export get"), tree=True)
FETCHERS: Mapping[str, Fetcher] = MappingProxyType(
    {
        **dict.fromkeys(
            names("scp rsync sftp lftp ncftpget smbget lwp-download"),
            Fetcher(outputs=("-o",)),
        ),
        **dict.fromkeys(names("degit tiged giget"), Fetcher(tree=True)),
        **dict.fromkeys(
            names("gsutil gcloud rclone mc mcli s3cmd s5cmd azcopy b2 ossutil kubectl oc coscmd lxc"),
            _COPIES,
        ),
        **dict.fromkeys(names("wget wget2 aria2c axel http https xh xhs fetch ftp ipfs oras hf"), _ADDRESS),
        "aws": Fetcher(names("cp mv sync get-object")),
        "az": Fetcher(names("download download-batch"), ("-f", "--file", "--dest"), ("-d", "--destination"),
                      ("-n", "--name", "-p", "--path")),
        "oci": Fetcher(names("get"), ("--file",), (), ("--name",)),
        "gh": Fetcher(names("download clone"), ("-O", "--output"), ("-D", "--dir"),
                      ("-p", "--pattern", "-n", "--name"), trees=names("clone")),
        "glab": Fetcher(names("download clone"), (), ("-D", "--dir"), ("-n", "--asset-name"),
                        trees=names("clone")),
        "tftp": Fetcher(outputs=("-r", "-l")),
        "certutil": Fetcher(), "bitsadmin": Fetcher(), "curlie": _ADDRESS,
        "hg": _CLONES, "svn": _CLONES, "jj": _CLONES, "fossil": _CLONES, "bzr": _CLONES, "repo": _CLONES,
    }
)  # fmt: skip
_INSTALLERS = names(
    """
    dpkg rpm apt apt-get dnf yum zypper apk pacman installer pip pip3 pipx snap flatpak gem msiexec brew
    gdebi eopkg opkg pkg_add kldload insmod
    """
)
"""They run, or install as a program, the file that they are given."""
_UNPACKERS = names("npm yarn pnpm bun uv poetry conda mamba code helm dotnet")
_ARCHIVE = lazy(r"\.(?:tgz|tar\.gz|tar\.bz2|whl|vsix|conda|nupkg)\Z")
"""They do so with the archive of a package; other files are data to them."""
_TASKS = names("run run-script test start exec x push")
"""Subcommands whose files are for someone else."""
_PACKAGE = ("package.json", ".npmrc")
_LOADED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("npm", "yarn", "pnpm", "bun"), _PACKAGE),
        **dict.fromkeys(("pytest", "py.test"), ("conftest.py",)),
        **dict.fromkeys(("pip", "pip3", "uv"), ("setup.py", "pyproject.toml", "setup.cfg")),
        **dict.fromkeys(("gradle", "gradlew"), ("build.gradle", "build.gradle.kts", "settings.gradle")),
        **dict.fromkeys(("docker", "docker-compose", "podman", "podman-compose"),
                        ("docker-compose.yml", "compose.yml", "compose.yaml", "Dockerfile")),
        **dict.fromkeys(("terraform", "tofu"), ("main.tf",)),
        "mvn": ("pom.xml",), "cargo": ("build.rs", "Cargo.toml"), "cmake": ("CMakeLists.txt",),
        "rake": ("Rakefile",), "bundle": ("Gemfile",), "tox": ("tox.ini",), "nox": ("noxfile.py",),
        "just": ("justfile",), "task": ("Taskfile.yml",), "direnv": (".envrc",), "vagrant": ("Vagrantfile",),
        "pre-commit": (".pre-commit-config.yaml",), "gulp": ("gulpfile.js",), "grunt": ("Gruntfile.js",),
        "vite": ("vite.config.ts", "vite.config.js"), "webpack": ("webpack.config.js",),
    }
)  # fmt: skip
"""What these run without being told."""
_TOLD: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("sed", "gsed"), ("-f", "--file")),
        **dict.fromkeys(("vim", "vi", "nvim", "view", "ex"), ("-S", "-s", "-u", "-l")),
        **dict.fromkeys(("emacs", "emacsclient"), ("-l", "--load", "--script", "-script")),
        **dict.fromkeys(("docker", "podman", "docker-compose", "podman-compose"), ("-f", "--file")),
        **dict.fromkeys(("psql", "usql", "sqlcmd"), ("-f", "--file", "-i")),
        **dict.fromkeys(("kubectl", "oc", "k"), ("-f", "--filename", "-k")),
        **dict.fromkeys(("gdb", "lldb"), ("-x", "--command", "-s", "--source")),
        **dict.fromkeys(("code", "codium", "cursor", "windsurf"), ("--install-extension",)),
        "at": ("-f",), "screen": ("-c",), "ssh": ("-F",),
    }
)  # fmt: skip
"""Options of programs that are told in a file what to do."""
_RUNNING = names(
    "ansible-playbook expect gnuplot octave wasmtime wasmer wasm3 tclsh wish mongosh mongo k6 hurl"
)
"""Programs to which any file that they are given is a program."""
_PROGRAMS = lazy(r"(?:^|/)(?:s?bin|Scripts|libexec|init\.d|cron\.\w+|LaunchAgents|hooks)(?:/|\Z)")


def fetch(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Note the files that `words` brings."""
    found = FETCHERS.get(program_name(words[0].text))
    if found is None or (found.verbs and found.verbs.isdisjoint(map(_text_of, words[1:5]))):
        return
    operands = _operands(words, found)
    if not found.trees.isdisjoint(map(_text_of, words[1:4])):
        found, operands = found.replace(tree=True), [word for word in operands if word.text != "repo"]
    sources = [word for word in operands if _REMOTE.match(word.text) or found.tree]
    last = operands[-1] if len(operands) > 1 and sources else None
    target = last if last is not None and not _REMOTE.match(last.text) else None
    names_ = [_last_part(word) for word in sources if word is not target]
    names_ += [word for word in option_values(words, *found.named) if not word.text.startswith("-")]
    places = list(_places(words, found, names_, target))
    bring(words, places, state, tree=found.tree)
    if found.tree and "export" in map(_text_of, words[1:3]):
        bring(words, places, state)  # it may be one file as well


def _operands(words: list[Word], found: Fetcher) -> list[Word]:
    """What is no option, no value of one, and no subcommand."""
    valued = {*found.outputs, *found.folders, *found.named}
    taken = {id(after) for word, after in pairwise(words) if word.text in valued}
    return [
        word
        for word in words[1:]
        if not word.text.startswith("-") and id(word) not in taken and word.text not in found.verbs
    ]


def _places(words: list[Word], found: Fetcher, fetched: list[Word], target: Word | None) -> Iterator[Word]:
    outputs = [word for word in option_values(words, *found.outputs) if word.text not in ("-", "")]
    yield from outputs
    folders = list(option_values(words, *found.folders)) if found.folders else []
    if target is not None and fetched:
        yield target
        folders.append(target)
    for word in fetched if folders or not outputs else ():
        if not folders:
            yield word
        for folder in folders:
            yield word.replace(text=f"{folder.text.rstrip('/') or '/'}/{word.text}")


def _last_part(word: Word) -> Word:
    name = word.text.split("?")[0].split("#")[0].rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    return word.replace(text=name.removesuffix(".git"))


def curl(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    targets = list(option_values(words, "-o", "--output"))
    together: list[Word] = []
    named = False
    for index, word in enumerate(words):
        text = word.text
        if text == "--remote-name":
            named |= index > 0
        elif text[:1] == "-" and text[:2] != "--":
            named |= "O" in text and index > 0
            if len(text) > 2 and text[-1] == "o":
                together += words[index + 1 : index + 2]
    if named:
        targets += [_last_part(word) for word in words[1:] if "/" in word.text and word.text[:1] != "-"]
    bring(words, targets + together, state)


def clone(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Everything below a fresh clone came off the network."""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    verb = operands[0].text if operands else ""
    if verb in ("pull", "fetch") and any(_REMOTE.match(word.text) for word in operands[1:]):
        bring(operands, [Word(".")], state, tree=True)
    if verb not in ("clone", "submodule"):
        return
    for index, word in enumerate(operands[1:], 1):
        if not word.known or _REMOTE.match(word.text):
            rest = operands[index + 1 : index + 2]
            bring(operands[: index + 1], rest or [_last_part(word)], state, tree=True)
            return


def bring(words: list[Word], targets: list[Word], state: State, *, tree: bool = False) -> None:
    if not targets:
        return
    stage = tuple(map(_text_of, words))
    content = unknown_output(" ".join(stage)[:80], stage, network=True)
    for target in targets:
        if tree:
            full = absolute(target.text, state.cwd)
            if full:
                state.files[f"{full.rstrip('/')}/"] = content
        else:
            write_file(target, content, state, append=False)


_IMPORTED = lazy(
    r"\b(?:import|from)[ \t]+(\w+)|(?:CDLL|LoadLibrary|import_module|run_path)\(\s*['\"]([^'\"]+)"
)


def imported(run: Reading, code: str, state: State, span: tuple[int, int]) -> None:
    """A module off the network that Python code loads by its name."""
    for match in _IMPORTED.finditer(code[:4096]) if state.files else ():
        for name in (f"{match[1]}.py", match[2] or "", f"{match[2]}.py"):
            text = state.files.get(absolute(name, state.cwd) or "")
            if isinstance(text, Partial) and text.network:
                run.note(text.unknown.within(Kind.LOADS), span, executed=True)
                return


def preloaded(run: Reading, library: Word | None, state: State, span: tuple[int, int]) -> None:
    """`LD_PRELOAD=./x.so ls`, where this line brought the library."""
    text = file_text(run, library, state) if library is not None and state.files else None
    if isinstance(text, Partial) and text.network:
        run.note(text.unknown.within(Kind.LOADS), span, executed=True)


def installed(run: Reading, words: list[Word], state: State, span: tuple[int, int]) -> None:
    """A file off the network that a program installs or is given to run, or that becomes a program itself."""
    name = program_name(words[0].text)
    placing = name in ("cp", "mv", "install", "ln")
    for file in _LOADED.get(name, ()) if state.files else ():
        found = state.files.get(absolute(file, state.cwd) or "")
        if isinstance(found, Partial) and found.network:
            run.note(found.unknown.within(Kind.LOADS), span, executed=True)
            return
    known = name in _INSTALLERS or name in _TOLD or name in _RUNNING or name in _UNPACKERS
    if not state.files or not (known or placing):
        return
    operands = [word for word in words[1:200] if not word.text.startswith("-")]
    if name in _TOLD:
        operands = list(option_values(words, *_TOLD[name]))
    elif name in _UNPACKERS:
        task = bool(operands) and operands[0].text in _TASKS
        operands = [word for word in operands if _ARCHIVE.search(word.text) and not task]
    if placing and not (operands and _PROGRAMS.search(operands[-1].text)):
        return
    for word in operands[:-1] if placing else operands:
        text = file_text(run, word, state) or file_text(run, word.replace(text=f"{word.text}/_"), state)
        if isinstance(text, Partial) and text.network:
            run.note(text.unknown.within(Kind.INSTALLS), span, executed=True, network=not placing)
            return
