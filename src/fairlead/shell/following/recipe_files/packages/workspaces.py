"""The packages of a JavaScript project: the nearest one, and those that it has as its workspaces."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from fairlead.model.value import Value
from fairlead.shell.following.recipe_files.formats.structured_text import (
    Table,
    field,
    json_value,
    table,
    text_of,
    texts_of,
)
from fairlead.shell.following.recipe_files.formats.yaml_text import yaml_value
from fairlead.shell.following.recipe_files.project import File, Project

_MOST_PACKAGES = 60
_MOST_PATTERNS = 40
_DEEPEST = 3
MANIFEST = "package.json"


class Package(Value):
    """`scripts` by their names; `file` is the manifest."""

    file: File
    manifest: Table
    scripts: Table

    @property
    def name(self) -> str:
        return text_of(self.manifest.get("name"))


def package_in(file: File | None) -> Package | None:
    manifest = table(json_value(file.text)) if file is not None else {}
    return Package(file, manifest, table(manifest.get("scripts"))) if file is not None else None


def nearest_package(project: Project) -> Package | None:
    return package_in(project.nearest((MANIFEST,)))


def workspaces(project: Project) -> Iterator[Package]:
    """Those that the nearest file names which names any."""
    for folder in project.folders_above():
        patterns = list(_patterns(project, folder))
        if patterns:
            yield from _packages(project, folder, patterns)
            return


def _patterns(project: Project, folder: str) -> Iterator[str]:
    package = package_in(project.file(f"{folder}/{MANIFEST}"))
    if package is not None:
        told = package.manifest.get("workspaces")
        yield from texts_of(field(told, "packages") if isinstance(told, dict) else told)
    for name in ("pnpm-workspace.yaml", "lerna.json"):
        file = project.file(f"{folder}/{name}")
        if file is not None:
            value = yaml_value(file.text) if name.endswith("yaml") else json_value(file.text)
            yield from texts_of(field(value, "packages"))


def _packages(project: Project, folder: str, patterns: list[str]) -> Iterator[Package]:
    seen: set[str] = set()
    for pattern in patterns[:_MOST_PATTERNS]:
        if pattern.startswith("!"):
            continue
        for found in _folders(project, folder, pattern.strip("./").split("/")):
            if found in seen or len(seen) >= _MOST_PACKAGES:
                continue
            seen.add(found)
            package = package_in(project.file(f"{found}/{MANIFEST}"))
            if package is not None:
                yield package


def _folders(project: Project, folder: str, steps: list[str]) -> Iterator[str]:
    """The folders that a pattern stands for."""
    if not steps or steps == [""]:
        yield folder
        return
    step, rest = steps[0], steps[1:]
    if step == "**":
        for depth in range(1, _DEEPEST):
            yield from _folders(project, folder, ["*"] * depth + rest)
    elif "*" in step or "?" in step:
        for name in project.names(folder):
            if fnmatchcase(name, step) and name not in ("node_modules", ".git") and "." not in name[1:]:
                yield from _folders(project, f"{folder}/{name}", rest)
    else:
        yield from _folders(project, f"{folder}/{step}", rest)


def chosen(packages: list[Package], wanted: list[str], project: Project) -> list[Package]:
    """Those that are named by their names or folders; all of them where none is."""
    found = [package for package in packages if any(_is_named(package, name, project) for name in wanted)]
    return found or packages


def _is_named(package: Package, wanted: str, project: Project) -> bool:
    plain = wanted.strip("./^{}").removeprefix(project.folder).strip("/")
    folder = package.file.folder.removeprefix(project.folder).strip("/")
    return bool(plain) and any(fnmatchcase(each, plain) for each in (package.name, folder) if each)
