"""Repositories that make git run something: each trap leaves its own mark when it does."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_WHO = ("-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")


def git(root: Path, *words: str, check: bool = True) -> str:
    """Without the settings of whoever runs the tests."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "-C", str(root), *_WHO, *words]
    done = subprocess.run(
        command, check=check, capture_output=True, env=environment, timeout=60, stdin=subprocess.DEVNULL
    )
    return done.stdout.decode()


class Scene(NamedTuple):
    """`root` is what an agent would name as its project; `mark` appears when `script` has run."""

    root: Path
    mark: Path
    script: Path


class Trap(NamedTuple):
    """`sets` lays it, `springs` are the words for git that show that it works."""

    sets: Callable[[Scene], Path | None]
    springs: tuple[str, ...] = ("status",)


def lay(trap: Trap, folder: Path) -> Scene:
    """A project with committed, changed, new and ignored files, and the trap in it."""
    root, mark, script = folder / "project", folder / "ran", folder / "evil.sh"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n[ $# -gt 0 ] && exit 1\nexec cat\n")
    script.chmod(0o755)
    make_project(root)
    scene = Scene(root, mark, script)
    return scene._replace(root=trap.sets(scene) or root)


def make_project(root: Path) -> None:
    (root / "src").mkdir(parents=True)
    for name in ("src/kept.py", "src/changed.py", "notes.txt"):
        (root / name).write_text("1\n")
    (root / ".gitignore").write_text("cache/\n")
    git(root.parent, "init", "-q", str(root))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    (root / "src/changed.py").write_text("2\n")
    (root / "new.txt").write_text("3\n")
    (root / "cache").mkdir()
    (root / "cache/x").write_text("4\n")
    os.utime(root / "src/kept.py", (1, 1))


def _attribute(root: Path, text: str) -> None:
    (root / ".git/info/attributes").write_text(f"* {text}\n")


def _filter(scene: Scene) -> None:
    _attribute(scene.root, "filter=x")
    git(scene.root, "config", "filter.x.clean", str(scene.script))


def _process(scene: Scene) -> None:
    _attribute(scene.root, "filter=x")
    git(scene.root, "config", "filter.x.process", str(scene.script))


def _monitor(scene: Scene) -> None:
    git(scene.root, "config", "core.fsmonitor", str(scene.script))


def _included(scene: Scene) -> None:
    (scene.root / "included").write_text(f"[core]\n\tfsmonitor = {scene.script}\n")
    git(scene.root, "config", "include.path", "../included")


def _hook(scene: Scene) -> None:
    hooks = scene.script.parent / "hooks"
    hooks.mkdir()
    (hooks / "post-index-change").symlink_to(scene.script)
    git(scene.root, "config", "core.hooksPath", str(hooks))


def _external_diff(scene: Scene) -> None:
    git(scene.root, "config", "diff.external", str(scene.script))


def _text_conversion(scene: Scene) -> None:
    _attribute(scene.root, "diff=x")
    git(scene.root, "config", "diff.x.textconv", str(scene.script))


def _pager(scene: Scene) -> None:
    git(scene.root, "config", "core.pager", str(scene.script))
    git(scene.root, "config", "alias.st", f"!{scene.script}")


def _module(scene: Scene) -> None:
    other = scene.script.parent / "other"
    make_project(other)
    git(scene.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    git(scene.root, "commit", "-qm", "with a module")
    git(scene.root / "sub", "config", "core.fsmonitor", str(scene.script))


def _bare(scene: Scene) -> Path:
    """A folder of a plain clone that git takes for a repository of its own."""
    bare = scene.root / "vendor"
    git(scene.root, "init", "-q", "--bare", str(bare))
    (bare / "refs/heads/.keep").write_text("")
    (bare / "objects/.keep").write_text("")
    git(bare, "config", "core.bare", "false")
    git(bare, "config", "core.worktree", str(bare))
    git(bare, "config", "core.fsmonitor", str(scene.script))
    (bare / "kept.py").write_text("1\n")
    return bare


def _pointed(scene: Scene) -> None:
    """A `.git` that leads to a repository elsewhere."""
    elsewhere = scene.script.parent / "elsewhere"
    (scene.root / ".git").rename(elsewhere)
    (scene.root / ".git").write_text(f"gitdir: {elsewhere}\n")
    git(scene.root, "config", "core.fsmonitor", str(scene.script))


def _promised(scene: Scene, *settings: str) -> None:
    """The tree of the last commit is missing, and a remote has promised it."""
    git(scene.root, "config", "core.repositoryformatversion", "1")
    git(scene.root, "config", "extensions.partialClone", "far")
    git(scene.root, "config", "remote.far.promisor", "true")
    for key, value in zip(settings[::2], settings[1::2], strict=True):
        git(scene.root, "config", key, value)
    git(scene.root, "update-index", "--add", "--cacheinfo", f"100644,{'1' * 40},src/staged.py")
    tree = git(scene.root, "rev-parse", "HEAD^{tree}").strip()
    (scene.root / ".git/objects" / tree[:2] / tree[2:]).unlink()


def _upload_pack(scene: Scene) -> None:
    url = f"file://{scene.script.parent}/far"
    _promised(scene, "remote.far.url", url, "remote.far.uploadpack", str(scene.script))


def _ssh(scene: Scene) -> None:
    _promised(scene, "remote.far.url", "ssh://far.example/x", "core.sshCommand", str(scene.script))


def _proxy(scene: Scene) -> None:
    _promised(scene, "remote.far.url", "git://far.example/x", "core.gitProxy", str(scene.script))


def _external_transport(scene: Scene) -> None:
    _promised(scene, "remote.far.url", f"ext::{scene.script} far", "protocol.ext.allow", "always")


TRAPS = {
    "a clean filter": Trap(_filter),
    "a filter process": Trap(_process),
    "a file monitor": Trap(_monitor),
    "a file monitor in an included file": Trap(_included),
    "a hook of the index": Trap(_hook),
    "an external diff": Trap(_external_diff, ("diff",)),
    "a text conversion": Trap(_text_conversion, ("diff",)),
    "a pager and an alias": Trap(_pager, ("st",)),
    "the settings of a module": Trap(_module),
    "a folder that looks like a bare repository": Trap(_bare),
    "a repository elsewhere": Trap(_pointed),
    "the upload-pack of a promisor": Trap(_upload_pack),
    "the ssh of a promisor": Trap(_ssh),
    "the proxy of a promisor": Trap(_proxy),
    "the transport of a promisor": Trap(_external_transport),
}
LINES = (
    "rm -rf src",
    "rm src/kept.py notes.txt",
    "rm -rf cache sub vendor",
    "rm kept.py",
    "find . -name '*.py' -delete",
    "> src/changed.py",
    "rm -r src/* *.txt",
    "git checkout -- src",
    "git status",
    "git diff | cat",
    "git submodule update",
    "git fetch far",
    "cd src && rm -f changed.py",
    "make test",
)
"""Commands that are judged by the state of files, or that name what git would run."""
