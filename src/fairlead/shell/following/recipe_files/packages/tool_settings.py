"""Code that tools of JavaScript load: their settings, and the tests that are named."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.formats.structured_text import json_value, line_of, table, text_of
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step

_CODE = (".js", ".ts", ".mjs", ".cjs", ".mts", ".jsx", ".tsx")
_MOST_FILES = 20


def read_configs(project: Project) -> Iterator[Step]:
    found = [project.recipe(above=True)]
    named = [word.text for word in project.operands if word.known and word.text.endswith(_CODE)]
    found += [project.file(path) for path in named[:_MOST_FILES]]
    for file in found:
        if file is not None:
            name = file.path.rsplit("/", 1)[-1]
            yield Step(
                file.text, f"{project.name} {name}", "javascript", project.folder, path=file.path, line=1
            )


def read_nodemon(project: Project) -> Iterator[Step]:
    """Its settings name the command that it runs again and again, and others for its events."""
    for name in project.loads.recipes:
        file = project.file(name)
        value = json_value(file.text) if file is not None else None
        settings = table(value, "nodemonConfig") if name == "package.json" else table(value)
        for text in (text_of(settings.get("exec")), *map(text_of, table(settings, "events").values())):
            if text and file is not None:
                yield Step(text, "nodemon", folder=file.folder, path=file.path, line=line_of(file.text, text))
