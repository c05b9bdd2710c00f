"""Folders and files that must be there."""

from __future__ import annotations

import os
from difflib import get_close_matches

import click

from fairlead.errors import UsageError


class Existing(click.Path):
    """The word stays as it was written; the shell itself completes it."""

    def __init__(self, *, folder: bool) -> None:
        super().__init__(exists=True, file_okay=not folder, dir_okay=folder)
        self._folder = folder

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        path = str(value)
        if not path or (os.path.isdir(path) if self._folder else os.path.isfile(path)):
            return path
        what = "folder" if self._folder else "file"
        option = f"{param.opts[0]}: " if isinstance(param, click.Option) else ""
        raise UsageError(f"{option}there is no {what} {os.path.abspath(path)}", hint=self._nearest(path))

    def _nearest(self, path: str) -> str:
        """The name beside it that is most like it."""
        parent, name = os.path.split(os.path.abspath(path))
        try:
            with os.scandir(parent) as entries:
                beside = [each.name for each in entries if each.is_dir() == self._folder]
        except OSError:
            return f"there is no {parent} either"
        near = get_close_matches(name, beside, n=1)
        return f"did you mean {os.path.join(parent, near[0])}?" if near else ""


FOLDER = Existing(folder=True)
FILE = Existing(folder=False)
