"""A folder as an index would have it: what was built, the version before it, and what both need."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import fairlead

EARLIER = "0.0.9"
NOW = fairlead.__version__


def wheel_for_this_machine(built: Path) -> Path:
    return next(built.glob("*manylinux*_x86_64.*whl"))


def earlier_wheel(wheel: Path, folder: Path) -> Path:
    """The same wheel, as if it were the version before."""
    made = folder / wheel.name.replace(f"-{NOW}-", f"-{EARLIER}-")
    info = f"fairlead-{EARLIER}.dist-info"
    rows: list[tuple[str, str, str]] = []
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            if entry.filename.endswith("/RECORD"):
                continue
            content = _in_the_past(entry.filename, source.read(entry))
            entry.filename = entry.filename.replace(f"fairlead-{NOW}.", f"fairlead-{EARLIER}.")
            target.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append((entry.filename, f"sha256={digest}", str(len(content))))
        record = io.StringIO()
        csv.writer(record).writerows([*rows, (f"{info}/RECORD", "", "")])
        target.writestr(f"{info}/RECORD", record.getvalue())
    return made


def _in_the_past(name: str, content: bytes) -> bytes:
    if name.endswith(".dist-info/METADATA"):
        return content.replace(f"\nVersion: {NOW}\n".encode(), f"\nVersion: {EARLIER}\n".encode(), 1)
    if name == "fairlead/__init__.py":
        return content.replace(f'"{NOW}"'.encode(), f'"{EARLIER}"'.encode(), 1)
    return content


def fetch(packages: list[str], folder: Path) -> None:
    """From the index that pip knows here."""
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*words, "--dest", str(folder), *packages], check=True)


def publish(wheel: Path, folder: Path) -> None:
    shutil.copy(wheel, folder)
