"""Pythons made of folders and links, which nothing runs: a base, and virtual environments made from it."""

from pathlib import Path

from fairlead.policy.places import Places


def places_in(folder: Path) -> Places:
    return Places(*(str(folder / name) for name in ("config", "state", "run", "share", "system")))


def base_python(folder: Path) -> Path:
    """As pyenv has them: library, packages that others install, and the interpreter."""
    for path in ("lib/python3.12/json", "lib/python3.12/site-packages", "bin"):
        (folder / path).mkdir(parents=True)
    (folder / "lib/python3.12/json/__init__.py").write_text("")
    (folder / "bin/python3.12").write_text("")
    (folder / "bin/python3").symlink_to("python3.12")
    return folder


def environment_of(base: Path, folder: Path) -> Path:
    """The interpreter of a virtual environment in `folder`."""
    (folder / "lib/python3.12/site-packages/yaml").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin/python3").symlink_to(base / "bin/python3")
    (folder / "bin/python").symlink_to("python3")
    (folder / "pyvenv.cfg").write_text(f"home = {base / 'bin'}\nversion_info = 3.12.1\n")
    return folder / "bin/python"


def record(places: Places, interpreter: Path) -> None:
    """What `install` leaves beside the client."""
    path = Path(places.client_record)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"interpreter={interpreter}\nhome=/home/user\ntimeout=60\n")
