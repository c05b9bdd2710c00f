"""A project with a repository on the disk, for tests of files that a call would run."""

from pathlib import Path

from tests.git_traps import git


def put(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def commit(root: Path, **files: str) -> None:
    """Commits all files, and these, by name: `build_sh` is `build.sh`."""
    for name, text in files.items():
        put(root, name.replace("_", "."), text)
    if not (root / ".git").exists():
        git(root, "init", "-q")
    put(root, "README.md", "A project.\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "work")
