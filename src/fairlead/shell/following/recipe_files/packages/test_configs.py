"""Code that tools of JavaScript load: their settings, and the tests that are named."""

from __future__ import annotations

from collections.abc import Iterator

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
