"""Random projects and random commands that destroy something in them, run for real: what the guard reads is
saved, the command runs, the save is brought back, and the project must be what it was.

    python -m benchmarks.undo.random_losses 100000
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.repository.index import Index
from fairlead.packs.repository.limits import Budget
from fairlead.undo.aftermath import note_end
from fairlead.undo.keeper import Saver
from fairlead.undo.plan import GRACE
from fairlead.undo.restoring import Restoring
from fairlead.undo.store import Store

_NAMES = ["a.txt", "b.py", "notes", "x y.md", "ünï.txt", ".env", "-dash", "data.csv", "main.c", "it's"]
_FOLDERS = ["src", "docs", "src/deep", "my dir", "lib"]
_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    **{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none"},
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_EDITOR": "true",
}


_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply")


class DifferenceError(AssertionError):
    """A project that did not come back as it was."""


def run(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], cwd=cwd, env=_ENVIRONMENT, capture_output=True, text=True, check=False
    )


class Template:
    """A repository with some history, which cases copy."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        chance = random.Random(seed)
        folder.mkdir()
        git = "git init -q -b main && printf '*.log\\n/local.cfg\\ncache/\\n' > .gitignore"
        run(git, folder)
        for number in range(chance.randint(1, 4)):
            fill(folder, chance, files=chance.randint(2, 6))
            run(f"git add -A && git commit -qm 'commit {number}'", folder)
        for name in ("topic", "feature/x"):
            if chance.random() < 0.7:
                run(
                    f"git checkout -qb {name} && echo {name} > {name.replace('/', '-')}.txt && git add -A",
                    folder,
                )
                run(f"git commit -qm {name} && git checkout -q main", folder)
        for number in range(chance.randint(0, 3)):
            run(f"echo stash {number} >> .gitignore && git stash -q", folder)
        if chance.random() < 0.3:
            run("git pack-refs --all && git gc -q", folder)
        if chance.random() < 0.3:
            run("git tag v1 && git tag v2", folder)


def fill(folder: Path, chance: random.Random, *, files: int) -> None:
    for _ in range(files):
        where = folder / chance.choice(["", "", *_FOLDERS])
        where.mkdir(parents=True, exist_ok=True)
        path = where / chance.choice(_NAMES)
        roll = chance.random()
        if path.is_symlink() or path.is_dir():
            continue
        if roll < 0.1 and not path.exists():
            path.symlink_to(chance.choice(["a.txt", "nowhere", "../src", "."]))
        else:
            path.write_bytes(chance.randbytes(chance.choice([0, 1, 40, 3000])))
            path.chmod(chance.choice([0o644, 0o644, 0o755, 0o600, 0o444]))


def disturb(folder: Path, chance: random.Random, *, is_repository: bool) -> None:
    """Work that was never committed: changes, new files, staged ones, deleted ones, odd times and modes."""
    fill(folder, chance, files=chance.randint(1, 5))
    if is_repository and chance.random() < 0.4:
        run("git add -A", folder)
        fill(folder, chance, files=chance.randint(0, 3))
    everything = present(folder)
    for path in everything:
        if chance.random() < 0.05 and not path.is_dir():
            path.unlink()
    if chance.random() < 0.3:
        (folder / "empty" / "inner").mkdir(parents=True, exist_ok=True)
    if chance.random() < 0.2:
        (folder / "local.cfg").write_text("mine\n")
    for path in present(folder):
        if chance.random() < 0.2 and not path.is_symlink():
            moment = chance.randint(1_500_000_000, 1_700_000_000) * 10**9 + chance.randint(0, 10**9 - 1)
            os.utime(path, ns=(moment, moment))


def present(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if ".git" not in path.relative_to(folder).parts)


def quoted(path: Path, folder: Path) -> str:
    text = str(path.relative_to(folder))
    text = f"./{text}" if text.startswith("-") else text
    return "'" + text.replace("'", "'\\''") + "'"


Maker = Callable[[random.Random, Callable[[], str], Callable[[], str]], str]
FILES: dict[str, Maker] = {
    "rm": lambda c, f, d: f"rm -f {f()} {f()}",
    "rm -r": lambda c, f, d: f"rm -rf {d()}",
    "rm glob": lambda c, f, d: "rm -rf *.txt",
    "rm all": lambda c, f, d: "rm -rf src docs lib *.py",
    "rm star": lambda c, f, d: "rm -rf *",
    "unlink": lambda c, f, d: f"unlink {f()}",
    "shred": lambda c, f, d: f"shred -u {f()}",
    "mv over": lambda c, f, d: f"mv -f {f()} {f()}",
    "mv new": lambda c, f, d: f"mv {f()} brand-new",
    "mv into": lambda c, f, d: f"mv -f {f()} {d()}/",
    "mv away": lambda c, f, d: f"mv {d()} moved",
    "cp over": lambda c, f, d: f"cp -f {f()} {f()}",
    "cp -r": lambda c, f, d: f"cp -rf {d()} {d()}",
    "truncation": lambda c, f, d: f"> {f()}",
    "overwrite": lambda c, f, d: f"echo new > {f()}",
    "append": lambda c, f, d: f"echo new >> {f()}",
    "new": lambda c, f, d: f"echo new > fresh && rm -f {f()}",
    "sed": lambda c, f, d: f"sed -i s/a/b/g {f()}",
    "tee": lambda c, f, d: f"echo x | tee {f()} > /dev/null",
    "truncate": lambda c, f, d: f"truncate -s {c.choice([0, 1, 10])} {f()}",
    "dd": lambda c, f, d: f"dd if=/dev/null of={f()} 2> /dev/null",
    "find -delete": lambda c, f, d: f"find {d()} -type f -delete",
    "find name": lambda c, f, d: "find . -name '*.txt' -delete",
    "find exec": lambda c, f, d: "find src -name '*.py' -exec rm -f {} +",
    "chmod": lambda c, f, d: f"chmod {c.choice(['000', '700', 'a+x'])} {f()}",
    "chmod -R": lambda c, f, d: f"chmod -R go-rwx {d()}",
    "ln": lambda c, f, d: f"ln -sfn nowhere {f()}",
    "python": lambda c, f, d: "python3 -c \"import shutil; shutil.rmtree('src')\"",
    "two": lambda c, f, d: f"rm -f {f()}; echo x > {f()}; mv {f()} {f()}",
    "folder to link": lambda c, f, d: "rm -rf src; ln -s docs src",
    "folder anew": lambda c, f, d: f"rm -rf {d()}; cp -r docs src; mkdir -p lib; touch lib/brand",
    "hard link": lambda c, f, d: f"ln -f {f()} other-name; truncate -s 0 {f()}",
    "find shred": lambda c, f, d: f"find {d()} -name '*.txt' -exec shred -u {{}} +",
    "loop": lambda c, f, d: 'for each in src/* docs/*; do rm -f "$each"; done',
}
GIT: dict[str, Maker] = {
    "reset --hard": lambda c, f, d: "git reset -q --hard",
    "reset --hard back": lambda c, f, d: "git reset -q --hard HEAD~1",
    "reset --hard other": lambda c, f, d: "git reset -q --hard topic",
    "checkout .": lambda c, f, d: "git checkout -q -- .",
    "checkout path": lambda c, f, d: f"git checkout -q -- {f()}",
    "checkout other": lambda c, f, d: "git checkout -q topic -- .",
    "checkout -f": lambda c, f, d: "git checkout -qf topic",
    "switch": lambda c, f, d: "git switch -q --discard-changes topic",
    "restore": lambda c, f, d: f"git restore {f()}",
    "restore all": lambda c, f, d: "git restore --source=HEAD --staged --worktree .",
    "clean": lambda c, f, d: "git clean -qfd",
    "clean -x": lambda c, f, d: "git clean -qfdx",
    "stash drop": lambda c, f, d: f"git stash drop -q stash@{{{c.randint(0, 2)}}}",
    "stash clear": lambda c, f, d: "git stash clear",
    "stash pop": lambda c, f, d: "git stash pop -q",
    "branch -D": lambda c, f, d: f"git branch -q -D {c.choice(['topic', 'feature/x'])}",
    "branches": lambda c, f, d: "git branch -q -D topic feature/x",
    "amend": lambda c, f, d: "git commit -q --amend -am other",
    "rebase": lambda c, f, d: "git rebase -q topic",
    "rebase autostash": lambda c, f, d: "git rebase -q --autostash topic",
    "rm -rf": lambda c, f, d: f"git rm -rqf {d()}",
    "reset soft": lambda c, f, d: "git reset -q --soft HEAD~1",
    "tags": lambda c, f, d: "git tag -d v1 v2",
    "two": lambda c, f, d: "git checkout -q -- . && git clean -qfd",
    "stash and drop": lambda c, f, d: "git stash push -qu && git stash drop -q",
    "commit and reset": lambda c, f, d: "git commit -qam x; git reset -q --hard HEAD~1",
    "branch and back": lambda c, f, d: (
        "git checkout -qb tmp && git add -A && git commit -qm wip; git checkout -q main && git branch -qD tmp"
    ),
    "reset and clean": lambda c, f, d: "git reset -q --hard && git clean -qfd",
    "ignored no more": lambda c, f, d: f"{c.choice(['rm', 'git rm -qf', '>'])} .gitignore; git clean -qfd",
    "stash all": lambda c, f, d: "git stash -qa && git stash drop -q",
    "add and reset": lambda c, f, d: f"git add -f {f()} local.cfg; git reset -q --hard",
    "branch moved": lambda c, f, d: (
        f"git branch {c.choice(['-f', '-M'])} {c.choice(['topic', 'brand'])} feature/x"
    ),
    "checkout -B": lambda c, f, d: (
        f"git checkout -qf {c.choice(['-B topic', '-b brand', '-B feature/x topic'])}"
    ),
    "branch below": lambda c, f, d: "git branch -q -D feature/x && git branch feature/x/y",
    "rm all": lambda c, f, d: "git rm -rqf .",
    "merge and abort": lambda c, f, d: "git stash -q; git merge -q topic || git merge --abort",
    "reset and branch": lambda c, f, d: "git reset -q --hard HEAD~1 && git branch -q -D topic",
}


def make_command(folder: Path, chance: random.Random, *, is_repository: bool) -> tuple[str, str]:
    table = GIT if is_repository and chance.random() < 0.6 else FILES
    kind = chance.choice(sorted(table))
    paths = present(folder)
    files = [path for path in paths if path.is_symlink() or not path.is_dir()] or [folder / "none"]
    folders = [path for path in paths if path.is_dir() and not path.is_symlink()] or [folder / "none"]
    return kind, table[kind](
        chance, lambda: quoted(chance.choice(files), folder), lambda: quoted(chance.choice(folders), folder)
    )


def state_of(folder: Path, *, times: bool = True) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in [folder, *present(folder)]:
        status = path.lstat()
        if path.is_symlink():
            content: object = os.readlink(path)
        else:
            content = "folder" if path.is_dir() else path.read_bytes()
        moment = status.st_mtime_ns if times else 0
        found[str(path.relative_to(folder))] = (oct(status.st_mode), moment, content)
    return found


def _lost(before: dict[str, object], after: dict[str, object]) -> bool:
    """Whether more than new files came, and the times of folders changed."""
    return any(
        _without_folder_time(after.get(path)) != _without_folder_time(was) for path, was in before.items()
    )


def _without_folder_time(found: object) -> object:
    return (found[0], found[2]) if isinstance(found, tuple) and found[2] == "folder" else found


def git_state_of(folder: Path) -> dict[str, object]:
    if not (folder / ".git").is_dir():
        return {}
    git = folder / ".git"
    refs = {
        str(path.relative_to(git)): path.read_text()
        for path in git.glob("refs/**/*")
        if path.is_file() and "fairlead" not in path.parts
    }
    packed = (git / "packed-refs").read_text() if (git / "packed-refs").exists() else ""
    for line in packed.splitlines():
        value, _, name = line.partition(" ")
        if name.startswith(("refs/heads/", "refs/tags/", "refs/stash")):
            refs.setdefault(name, f"{value}\n")
    log = git / "logs/refs/stash"
    return {
        "status": _status(folder),
        "index": _index(git),
        "refs": refs,
        "stash": [line.split(" ")[1] for line in log.read_text().splitlines()] if log.exists() else [],
        "head": (git / "HEAD").read_text(),
        "under way": sorted(path.name for path in git.iterdir() if path.name in _UNDER_WAY),
    }


def _status(folder: Path) -> bytes:
    words = ["git", "status", "--porcelain", "-z"]
    return subprocess.run(words, cwd=folder, env=_ENVIRONMENT, capture_output=True, check=True).stdout


def _index(git: Path) -> list[object]:
    content = (git / "index").read_bytes() if (git / "index").exists() else b""
    index = Index(content, 0, hash_size=20, budget=Budget(seconds=60))
    return [(name, entry.mode, entry.object, entry.pending) for name, entry in index.entries()]


class Case:
    """One random project and command, made from a number alone."""

    def __init__(self, seed: int, top: Path, templates: list[Template]) -> None:
        self.chance = random.Random(seed)
        self.seed = seed
        self.top = top / f"case-{seed}"
        self.project = self.top / "project"
        self.is_repository = self.chance.random() < 0.35
        if self.is_repository:
            shutil.copytree(self.chance.choice(templates).folder, self.project, symlinks=True)
        else:
            self.project.mkdir(parents=True)
            fill(self.project, self.chance, files=8)
        disturb(self.project, self.chance, is_repository=self.is_repository)
        self.kind, self.command = make_command(self.project, self.chance, is_repository=self.is_repository)
        self.store = Store(str(self.top / "undo"))

    def run(self) -> str:
        """What came of it: `blocked`, `nothing lost`, or `brought back`. Raises DifferenceError."""
        try:
            return self._run()
        finally:
            shutil.rmtree(self.top, ignore_errors=True)

    def _run(self) -> str:
        git_before = git_state_of(self.project)
        before = state_of(self.project)
        if not self._passes():
            return "blocked"
        run(self.command, self.project)
        git_after = git_state_of(self.project)
        after = state_of(self.project)
        known = {key: value for key, value in git_after.items() if key != "status"}
        if not _lost(before, after) and known.items() <= git_before.items():
            return "nothing lost"
        saves = self.store.saves()
        if not saves:
            raise DifferenceError(self._words("nothing was saved", before, after))
        late = time.time_ns() - self.store.load(saves[-1]).at > GRACE // 2
        if self.chance.random() < 0.5 or late:  # a machine that is too busy for the seconds of grace
            note_end(self.store, saves[-1])
        Restoring(self.store, saves[-1], self.store.load(saves[-1])).bring_back()
        self._check("undo", before, git_before)
        if self.chance.random() < 0.3:
            last = self.store.saves()[-1]
            Restoring(self.store, last, self.store.load(last)).bring_back()
            self._check("undo of the undo", after, git_after)
        return "brought back"

    def _passes(self) -> bool:
        call = ToolCall("Bash", {"command": self.command}, ToolKind.SHELL)
        root = str(self.project)
        event = Event(
            EventName.BEFORE_TOOL, session="s", root=root, cwd=root, tool=call, request=str(self.seed)
        )
        config = {"recoverable": "pass", "save": True}
        self.said = block_dangerous_commands(event, config, (), keeper=Saver(self.store.folder))
        return self.said is None or self.said.decision < Decision.ASK

    def _check(self, what: str, before: dict[str, object], git_before: dict[str, object]) -> None:
        now = state_of(self.project)
        if now != before:
            raise DifferenceError(self._words(what, before, now))
        git_now = git_state_of(self.project)
        if git_now != git_before:
            raise DifferenceError(self._words(f"{what}, git", git_before, git_now))

    def _words(self, what: str, before: dict[str, object], after: dict[str, object]) -> str:
        lines = [f"case {self.seed}: {self.command!r} ({what})"]
        for key in sorted(before.keys() | after.keys()):
            if before.get(key) != after.get(key):
                lines.append(f"  {key}: {str(before.get(key))[:160]} -> {str(after.get(key))[:160]}")
        return "\n".join(lines)


def play(seeds: range) -> tuple[Counter[str], Counter[str], list[str]]:
    """Outcomes, blocked kinds, and differences in words."""
    outcomes: Counter[str] = Counter()
    blocked: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder).resolve()
        templates = [Template(top / f"template-{number}", number) for number in range(12)]
        for seed in seeds:
            case = Case(seed, top, templates)
            try:
                outcome = case.run()
            except DifferenceError as difference:
                outcome = "different"
                wrong.append(str(difference))
            outcomes[outcome] += 1
            if outcome == "blocked":
                blocked[case.kind] += 1
    return outcomes, blocked, wrong


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    begun = time.monotonic()
    outcomes, blocked, wrong = play(range(first, first + count))
    for text in wrong[:20]:
        print(text)
    print(dict(outcomes), f"in {time.monotonic() - begun:.0f} s; blocked: {dict(blocked)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
