"""What a development container runs on the machine that starts it."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import (
    json_value,
    line_of,
    table,
    text_of,
    texts_of,
)
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step


def read_devcontainer(project: Project) -> Iterator[Step]:
    """`initializeCommand` runs on the machine itself, before there is a container."""
    file = project.recipe(above=True)
    if (
        file is None
        or not project.operands
        or project.operands[0].text not in ("up", "build", "open", "exec")
    ):
        return
    told = table(json_value(file.text)).get("initializeCommand")
    for each in told.values() if isinstance(told, dict) else [told]:
        text = text_of(each) or " ".join(map(quote, texts_of(each)))
        if text:
            folder = file.folder.removesuffix("/.devcontainer")
            yield Step(
                text, "devcontainer", folder=folder, path=file.path, line=line_of(file.text, "initializeC")
            )
