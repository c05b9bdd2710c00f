"""Debian packages, made of the wheels: the same files in Debian's places, below the packages of Debian."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from shipping import ROOT, project

ARCHITECTURES = {"manylinux_2_17_x86_64": "amd64", "manylinux_2_17_aarch64": "arm64"}
PACKAGES = "usr/lib/python3/dist-packages"
PROGRAMS = "usr/bin"
COMMAND = """#!/usr/bin/python3 -I
from fairlead.__main__ import main

main()
"""
DEPENDS = {
    "PyYAML>=6.0": "python3-yaml (>= 6.0)",
    "click>=8.1": "python3-click (>= 8.1)",
    "regex>=2022.10.31": "python3-regex (>= 0.1.20221031)",
}
"""What pyproject.toml asks for, and what Debian calls it: both bounds are those of Debian 12."""
SCRIPTS = {
    "postinst": "command -v py3compile >/dev/null && py3compile -p fairlead",
    "prerm": "command -v py3clean >/dev/null && py3clean -p fairlead",
}


def make_debian_packages(folder: Path) -> list[Path]:
    if shutil.which("dpkg-deb") is None:
        print("NO DEBIAN PACKAGES: that needs dpkg-deb", file=sys.stderr)
        return []
    wheels = {tag: next(folder.glob(f"*-{tag}.*whl"), None) for tag in ARCHITECTURES}
    return [make_debian_package(wheel, ARCHITECTURES[tag]) for tag, wheel in wheels.items() if wheel]


def make_debian_package(wheel: Path, architecture: str) -> Path:
    version = wheel.name.split("-")[1]
    made = wheel.with_name(f"fairlead_{version}_{architecture}.deb")
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "root"
        _unpack(wheel, root)
        _describe(root, version, architecture)
        _settle(root)
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(made)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return made


def _unpack(wheel: Path, root: Path) -> None:
    """Without the list of files, which is dpkg's here."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith("/RECORD"):
                continue
            inner = re.sub(r"^[^/]+\.data/scripts/", f"{PROGRAMS}/", name)
            target = root / (inner if inner != name else f"{PACKAGES}/{name}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))
    (root / PROGRAMS / "fairlead").write_text(COMMAND)
    notice = root / "usr/share/doc/fairlead/copyright"
    notice.parent.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", notice)


def _describe(root: Path, version: str, architecture: str) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file())
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]  # noqa: S324
    size = sum(path.stat().st_size for path in files) // 1024
    control = root / "DEBIAN"
    control.mkdir()
    (control / "md5sums").write_text("".join(sums))
    (control / "control").write_text("".join(_fields(version, architecture, size)))
    for name, command in SCRIPTS.items():
        (control / name).write_text(f"#!/bin/sh\nset -e\nif {command}; then :; fi\n")


def _fields(version: str, architecture: str, size: int) -> Iterator[str]:
    said = project()
    needed = ", ".join(["python3 (>= 3.11)", *(DEPENDS[wanted] for wanted in said["dependencies"])])
    yield f"Package: fairlead\nVersion: {version}\nArchitecture: {architecture}\nInstalled-Size: {size}\n"
    yield f"Maintainer: {said['authors'][0]['name']} <root@localhost>\n"
    yield f"Depends: {needed}\nSection: devel\nPriority: optional\nDescription: {said['description']}\n"
    yield " Guards what coding agents and scripts do: run `fairlead install` as each user.\n"


def _settle(root: Path) -> None:
    """The same rights and times, whoever builds it and when."""
    moment = int(os.environ.get("SOURCE_DATE_EPOCH", "1580601600"))
    runs = {root / PROGRAMS, root / "DEBIAN"}
    for path in (root, *root.rglob("*")):
        program = path.is_dir() or (path.parent in runs and path.name not in ("control", "md5sums"))
        path.chmod(0o755 if program else 0o644)
        os.utime(path, (moment, moment))
