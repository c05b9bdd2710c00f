"""Options of git's subcommands: which take a value, and which may be shortened."""

from __future__ import annotations

GLOBAL_VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix")
VALUED: dict[str, tuple[str, ...]] = {
    "checkout": ("-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"),
    "switch": ("-c", "-C", "--create", "--force-create", "--orphan", "--conflict"),
    "restore": ("-s", "--source", "--conflict", "--pathspec-from-file"),
    "push": ("-o", "--push-option", "--receive-pack", "--exec", "--repo"),
    "clean": ("-e", "--exclude"),
    "commit": (
        "-m",
        "-F",
        "-C",
        "-c",
        "-t",
        "--message",
        "--file",
        "--author",
        "--date",
        "--template",
        "--fixup",
    ),
    "tag": ("-m", "-F", "-u", "--message", "--file", "--local-user"),
    "notes": ("-m", "-F", "-C", "-c", "--file", "--message", "--ref"),
    "log": ("-S", "-G", "-n", "-L", "--grep", "--author", "--since", "--until", "--format", "--pretty"),
    "grep": ("-e", "-f", "-A", "-B", "-C", "-m"),
    "config": ("-f", "--file", "--type", "--default", "--blob"),
    "update-ref": ("-m",),
    "branch": (
        "-u",
        "--set-upstream-to",
        "--contains",
        "--merged",
        "--no-merged",
        "--points-at",
        "--sort",
        "--format",
    ),
}
LONG_OPTIONS: dict[str, tuple[str, ...]] = {
    "reset": ("--hard", "--soft", "--mixed", "--merge", "--keep", "--quiet", "--patch", "--help"),
    "clean": ("--force", "--dry-run", "--interactive", "--quiet", "--exclude", "--help"),
    "checkout": (
        "--force",
        "--ours",
        "--theirs",
        "--track",
        "--detach",
        "--orphan",
        "--patch",
        "--merge",
        "--help",
    ),
    "switch": ("--force", "--discard-changes", "--create", "--force-create", "--detach", "--track", "--help"),
    "restore": ("--staged", "--worktree", "--source", "--ours", "--theirs", "--patch", "--merge", "--help"),
    "branch": ("--delete", "--force", "--move", "--copy", "--list", "--all", "--help"),
    "worktree": ("--force",),
    "submodule": ("--force", "--all", "--recursive"),
    "fetch": ("--force", "--all", "--prune"),
    "push": ("--mirror", "--delete", "--prune", "--dry-run", "--tags", "--all"),
    "gc": ("--prune", "--aggressive", "--auto", "--force"),
}
