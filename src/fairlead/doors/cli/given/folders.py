"""Folders and files that must be there."""

from __future__ import annotations

import os
from difflib import get_close_matches

import click

from fairlead.errors import UsageError


class Existing(click.Path):
    """The word stays as it was written; the shell itself completes it."""

    def __init__(self, *, files: bool = False, folders: bool = False) -> None:
        super().__init__(exists=True, file_okay=files, dir_okay=folders)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        path = str(value)
        if not path or (self.dir_okay and os.path.isdir(path)) or (self.file_okay and _is_file(path)):
            return path
        what = " or ".join(["file"] * self.file_okay + ["folder"] * self.dir_okay)
        option = f"{param.opts[0]}: " if isinstance(param, click.Option) else ""
        raise UsageError(f"{option}there is no {what} {os.path.abspath(path)}", hint=self._nearest(path))

    def _nearest(self, path: str) -> str:
        """The name beside it that is most like it."""
        parent, name = os.path.split(os.path.abspath(path))
        try:
            with os.scandir(parent) as entries:
                beside = [
                    each.name for each in entries if (self.dir_okay if each.is_dir() else self.file_okay)
                ]
        except OSError:
            return f"there is no {parent} either"
        near = get_close_matches(name, beside, n=1)
        return f"did you mean {os.path.join(parent, near[0])}?" if near else ""


def _is_file(path: str) -> bool:
    return os.path.lexists(path) and not os.path.isdir(path)


FOLDER = Existing(folders=True)
FILE = Existing(files=True)
EITHER = Existing(files=True, folders=True)
