"""python -m shipping.check DIRECTORY: an index takes these files, and a second build gives the same bytes.

The second build is one of the source archive, elsewhere: so the archive is shown to be whole, too.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from shipping.archives import TARGETS

MACHINES = {
    "linux-x86_64": (b"\x7fELF\x02", 18, b"\x3e\x00"),
    "linux-aarch64": (b"\x7fELF\x02", 18, b"\xb7\x00"),
    "macos-x86_64": (b"\xcf\xfa\xed\xfe", 4, b"\x07\x00\x00\x01"),
    "macos-arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
}
"""How programs for it begin, and what stands where for its processor."""


def main(folder: Path) -> None:
    packages = [str(path) for path in sorted(folder.iterdir()) if path.name.endswith((".whl", ".tar.gz"))]
    wheels = [path for path in packages if path.endswith(".whl")]
    _run("-m", "twine", "check", "--strict", *packages)
    _run("-m", "check_wheel_contents", *wheels)
    wrong = [*_wrong_programs(folder), *_other_bytes(folder)]
    if wrong:
        raise SystemExit("\n".join(wrong))
    print("The same bytes when they are built from the source archive")


def _run(*words: str, cwd: Path | None = None) -> None:
    done = subprocess.run([sys.executable, *words], cwd=cwd, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words[:3])} found something")


def _wrong_programs(folder: Path) -> Iterator[str]:
    """A wheel for one processor with a program for another would be installed, and fail."""
    for name, (start, place, processor) in MACHINES.items():
        wheel = next(folder.glob(f"*-{TARGETS[name].wheel_tag}.whl"))
        for program, content in _programs(wheel):
            if not content.startswith(start) or content[place : place + len(processor)] != processor:
                yield f"{wheel.name}: {program} is no program for {name}"


def _programs(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if ".data/scripts/" in name:
                yield name, archive.read(name)


def _other_bytes(folder: Path) -> Iterator[str]:
    """Except for the formula, which says where the archive is."""
    with tempfile.TemporaryDirectory() as temporary:
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(temporary, filter="data")
        root = next(Path(temporary).iterdir())
        _run("-m", "shipping", "again", cwd=root)
        for path in sorted(folder.iterdir()):
            other = root / "again" / path.name
            if path.suffix != ".rb" and (not other.exists() or other.read_bytes() != path.read_bytes()):
                yield f"{path.name} has other bytes when it is built from the source archive"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
