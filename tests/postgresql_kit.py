"""A real PostgreSQL in a folder of its own: an unprivileged user's, reached by a socket in that folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest


def programs() -> Path:
    """Of the newest release that is installed. Without one, the tests that need it are skipped, loudly."""
    pytest.importorskip("psycopg", reason="NO psycopg: the collector is not tested on PostgreSQL here")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    named = shutil.which("initdb")
    if not found and not named:
        pytest.skip("NO PostgreSQL: the collector is not tested on it here; `make postgresql` installs it")
    return found[-1].parent if found else Path(str(named)).parent


class PostgresqlServer:
    """`settings` are further ones of its configuration, as in `shared_buffers=1GB`."""

    def __init__(self, *settings: str) -> None:
        self._settings = settings
        self._programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="fairlead-pg-"))
        self._user = None
        if os.geteuid() == 0:  # it refuses to run as root
            self._user = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
            shutil.chown(self.folder, self._user)
        self._run("initdb", "-D", str(self.data), "-A", "trust", "-U", "fleet", "--no-sync", "-E", "UTF8")
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0

    @property
    def process(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def _run(self, *words: str) -> None:
        done = subprocess.run(
            [str(self._programs / words[0]), *words[1:]],
            user=self._user,
            cwd=self.folder,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        words = [str(self._programs / "postgres"), "-D", str(self.data), "-k", str(self.folder)]
        for setting in ("listen_addresses=", "fsync=off", *self._settings):
            words += ["-c", setting]
        self._process = subprocess.Popen(
            words, user=self._user, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(1200):
            if self._answers():
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url("postgres"), connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def url(self, database: str) -> str:
        return f"postgresql://fleet@/{database}?host={self.folder}"

    def make_database(self) -> str:
        """The address of one that is empty."""
        import psycopg

        self._databases += 1
        name = f"fleet{self._databases}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(30)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
