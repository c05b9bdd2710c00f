"""Functions that are the same under another name: those of C behind `ctypes`, programs behind `plumbum`."""

from __future__ import annotations

from fairlead.shell.word_sets import names

_C_FUNCTIONS = names(
    """
    unlink remove rename rmdir chmod lchmod chown lchown symlink link truncate kill killpg setuid seteuid
    setreuid setgid fork execv execve execvp execl execlp execle posix_spawn posix_spawnp system popen
    """
)
"""What `os` has under the same name, with its arguments in the same order."""
_PROGRAMS = ("plumbum.cmd.", "plumbum.local.")


def library_name(name: str) -> str:
    """The name under which the function is known."""
    if name.startswith("ctypes."):
        function = name.rpartition(".")[2]
        return f"os.{function}" if function in _C_FUNCTIONS else name
    for before in _PROGRAMS:
        if name.startswith(before):
            return f"sh.{name.removeprefix(before)}"
    return name
