"""The public names are there, cheap to import, listed on their page, and all that the documentation uses."""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import fairlead

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
PUBLIC = (
    "fairlead",
    "fairlead.hooks",
    "fairlead.bus",
    "fairlead.testing",
    "fairlead.middleware_base",
    "fairlead.interfaces",
    "fairlead.plugins",
    "fairlead.shell",
)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOR_PROGRAMS = (
    "library.md",
    "hook-system.md",
    "middleware.md",
    "scripts.md",
    "shell.md",
    "journal.md",
)


def names_of(module: str) -> set[str]:
    """Those that a program may import; of the package itself also what needs an extra."""
    loaded = importlib.import_module(module)
    names = set(loaded.__all__)
    return names | {*dir(loaded)} if module == "fairlead" else names


def test_every_public_name_is_there_or_says_which_package_it_needs():
    for name in dir(fairlead):
        try:
            assert getattr(fairlead, name) is not None
        except ImportError as error:
            extra = str(error).partition("pip install 'fairlead[")[2].rstrip("]'")
            assert extra in EXTRAS, name


@pytest.mark.parametrize("module", PUBLIC)
def test_everything_in_all_can_be_imported_at_once(module):
    found = {}
    exec(f"from {module} import *", found)
    assert found.keys() - {"__builtins__"} == set(importlib.import_module(module).__all__)


@pytest.mark.parametrize("module", ["testing", "middleware_base", "interfaces"])
def test_whatever_a_public_module_defines_is_public(module):
    tree = ast.parse((ROOT / "src" / "fairlead" / f"{module}.py").read_text())
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert {name for name in defined if not name.startswith("_")} <= names_of(f"fairlead.{module}")


@pytest.mark.parametrize("module", ["fairlead", "fairlead.bus", "fairlead.shell"])
def test_an_unknown_name_is_an_attribute_error(module):
    with pytest.raises(AttributeError, match="nonsense"):
        _ = importlib.import_module(module).nonsense


def test_law_11_importing_the_package_loads_no_other_module_of_ours():
    assert loaded_by("import fairlead", "fairlead.") == []


def test_law_14_the_public_modules_load_no_broker_web_or_agent_framework():
    modules = ", ".join(PUBLIC)
    assert loaded_by(f"import {modules}", ("nats", "starlette", "langchain", "openai", "anthropic")) == []


def loaded_by(code, prefix):
    code = f"{code}; import sys; print([m for m in sys.modules if m.startswith({prefix!r})])"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return ast.literal_eval(done.stdout)


# the page, and the documentation


def test_the_page_lists_every_public_name_and_no_other():
    text = (ROOT / "docs" / "reference" / "library.md").read_text()
    sections = dict(re.findall(r"^## `([\w.]+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert tuple(sections) == PUBLIC
    for module, section in sections.items():
        extras = re.findall(r"`(\w+)`(?= ·|\.\n)", section.partition("With an extra")[2])
        listed = {*re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE), *extras}
        assert listed == names_of(module) - {"__version__"}, module


def imports_in(code):
    """(module, name) of every import of ours; the name is None where the module itself is imported."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)


def python_of(page):
    return re.findall(
        r"^```py(?:thon)?\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def test_the_documentation_has_python_to_look_at():
    assert sum(len(python_of(page)) for page in PAGES) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_documentation_imports_public_names_alone(page):
    for code in python_of(page):
        for module, name in imports_in(code):
            if module.partition(".")[0] == "fairlead":
                assert module in PUBLIC, f"{page.name}: {module} is no public module"
                assert name is None or name in names_of(module), f"{page.name}: {module} has no public {name}"


@pytest.mark.parametrize("page", FOR_PROGRAMS)
def test_pages_for_authors_of_programs_speak_of_public_modules_alone(page):
    rooms = "|".join(path.stem for path in (ROOT / "src" / "fairlead").iterdir())
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    named = set(re.findall(rf"\bfairlead\.(?:{rooms})\b", text))
    assert named <= set(PUBLIC)
