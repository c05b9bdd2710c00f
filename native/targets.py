"""The systems that wheels are made for on one machine, by the C compiler of the `ziglang` package."""

from __future__ import annotations

import platform
import sys
from typing import NamedTuple

WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic")
HARDENING = ("-O2", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2")
STATIC = (*HARDENING, "-static")
BARE = (
    *("-O2", "-DFAIRLEAD_NO_LIBC", "-U_FORTIFY_SOURCE", "-fno-stack-protector", "-fcf-protection=none"),
    *("-fno-asynchronous-unwind-tables", "-static", "-nostdlib", "-nostartfiles", "-Wl,--build-id=none"),
)
"""See linux/nolibc.c. The guard of the stack needs what a C library sets up."""


class Target(NamedTuple):
    name: str
    triple: str
    """With musl on Linux: linked statically, it starts as fast as without a C library."""
    tags: tuple[str, ...]
    """Of a wheel. A static program runs beside any C library."""

    @property
    def system(self) -> str:
        """The folder with what this system does in its own way."""
        return self.name.partition("-")[0]

    @property
    def flags(self) -> tuple[str, ...]:
        return STATIC if self.system == "linux" else HARDENING

    @property
    def records(self) -> bool:
        """Whether there are pipes that keep writes apart, for the recorder of scripts."""
        return self.system == "linux"

    @property
    def wheel_tag(self) -> str:
        return f"py3-none-{'.'.join(self.tags)}"


_ALL = (
    Target("linux-x86_64", "x86_64-linux-musl", ("manylinux_2_17_x86_64", "musllinux_1_1_x86_64")),
    Target("linux-aarch64", "aarch64-linux-musl", ("manylinux_2_17_aarch64", "musllinux_1_1_aarch64")),
    Target("macos-x86_64", "x86_64-macos.11.0", ("macosx_11_0_x86_64",)),
    Target("macos-arm64", "aarch64-macos.11.0", ("macosx_11_0_arm64",)),
)
TARGETS = {target.name: target for target in _ALL}
PURE = "pure"
"""Not a target: a wheel for every other system, with the client in Python."""

SYSTEMS = {"linux": "linux", "darwin": "macos"}
"""What Python calls those that the client can be compiled for, and their folders."""


def own_system() -> str:
    """The folder for the machine that builds; empty where the client cannot be compiled."""
    return SYSTEMS.get(sys.platform, "")


def own_ways() -> tuple[tuple[str, ...], ...]:
    """How the compiler of this machine is asked, one after the other: what starts faster first."""
    bare = (BARE,) if (sys.platform, platform.machine()) == ("linux", "x86_64") else ()
    return (*bare, STATIC, HARDENING)
