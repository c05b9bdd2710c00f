"""Files whose syntax has no reader of its own: code as code, anything else line by line."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.line_files.build_files import commands_in
from fairlead.shell.following.line_files.command_lines import command_lines
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step

_LANGUAGES = {
    ".py": "python", "SConstruct": "python", "SConscript": "python", "wscript": "python",
    "Tiltfile": "python",
    ".exs": "elixir", ".gradle": "groovy", "Jenkinsfile": "groovy", "akefile": "ruby",
    ".rb": "ruby", ".rake": "ruby", "Gemfile": "ruby", "Vagrantfile": "ruby", "Capfile": "ruby",
    "Fastfile": "ruby", "Guardfile": "ruby", ".js": "javascript", ".cjs": "javascript", ".mjs": "javascript",
    ".ts": "javascript", ".mts": "javascript",
    ".jsx": "javascript", ".tsx": "javascript", ".go": "any", ".rs": "any", ".pl": "perl", ".php": "php",
}  # fmt: skip
"""How the name of a file ends, and what it is written in."""


def language_of(path: str) -> str:
    """Empty for what is no code by its name."""
    name = path.rsplit("/", 1)[-1]
    return next((language for end, language in _LANGUAGES.items() if name.endswith(end)), "")


def read_files(project: Project) -> Iterator[Step]:
    """All files that the runner looks for, and those that options name."""
    files = [project.file(name) for name in project.loads.recipes]
    for file in (*project.named_files(), *files):
        if file is not None:
            yield from steps_in(project, file)


def read_nearest(project: Project) -> Iterator[Step]:
    """The one file that the runner takes, here or in a folder above."""
    file = project.recipe(above=True)
    if file is not None:
        yield from steps_in(project, file)


def steps_in(project: Project, file: File) -> Iterator[Step]:
    via = f"{project.name} {file.path.rsplit('/', 1)[-1]}"
    language = language_of(file.path)
    if language:
        yield Step(file.text, via, language, file.folder, path=file.path, line=1)
        return
    for text in (*commands_in(project.name, file.text), *command_lines(file.text)):
        yield Step(text, via, path=file.path)
