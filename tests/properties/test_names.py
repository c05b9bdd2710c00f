"""Names cannot be hidden: however a protected path is written, it is judged no weaker than in full."""

import os
import zlib
from collections.abc import Iterable, Iterator

import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.packs.guards.sensitive_files import protect_sensitive_files
from fairlead.packs.judging import call_effects as calls
from fairlead.shell.protected import spelled_names
from fairlead.shell.protected.spelled_paths import in_home, in_project

HOME, ROOT = "/home/somebody", "/home/somebody/work/project"
VERBS = ("cat {}", "cp x {}", "echo x >> {}", "rm -f {}", "mv {} /tmp/x", "tee {} < x")
EVERY, FEWEST = 8, 11_000
"""Of each path, every so many spellings are tried; all in all at least so many."""


@pytest.fixture(autouse=True)
def somebody(monkeypatch):
    """A home and a project that are only names, so that nothing on the disk decides."""
    monkeypatch.setattr(calls, "home_of_user", lambda: HOME)


def decide(text: str, root: str = ROOT) -> Decision:
    tool = ToolCall("Bash", {"command": text}, ToolKind.SHELL)
    event = Event(EventName.BEFORE_TOOL, root=root, cwd=root, tool=tool)
    found = [guard(event, {}, ()) for guard in (block_dangerous_commands, protect_sensitive_files)]
    return max((outcome.decision for outcome in found if outcome is not None), default=Decision.CONTINUE)


def protected() -> list[tuple[str, str]]:
    """Where each path begins as it is written, and the rest."""
    return [
        *(("~/", path) for path in sorted(set(in_home()))),
        *(("", path) for path in sorted(set(in_project()))),
        *(("/", path) for path in sorted(spelled_names.SYSTEM)),
    ]


def quoted(text: str) -> str:
    return f"'{text}'" if " " in text else text


def escaped(text: str) -> str:
    return text.replace(" ", "\\ ")


def with_star(name: str, *, top: bool) -> str:
    """Its first letter and a star; three at the top of a home or a project, where `o*` means anything."""
    kept = name[:2] if name.startswith(".") else name[:3] if top else name[:1]
    return f"{escaped(kept)}*"


def with_question_mark(name: str) -> str:
    return f"{escaped(name[:-1])}?" if len(name.lstrip(".")) > 1 else escaped(name)


def with_class(name: str) -> str:
    place = 1 if name.startswith(".") else 0
    if not name[place:] or not name[place].isalnum():
        return escaped(name)
    return f"{escaped(name[:place])}[{name[place]}]{escaped(name[place + 1 :])}"


def spellings(verb: str, start: str, path: str) -> Iterator[str]:
    """The verb on the path, in all ways to write it."""
    names = path.split("/")
    plain = [escaped(name) for name in names]
    stars = [with_star(name, top=index == 0 and start != "/") for index, name in enumerate(names)]
    for index in range(len(names)):
        for other in (stars[index], with_question_mark(names[index]), with_class(names[index])):
            yield verb.format(start + "/".join([*plain[:index], other, *plain[index + 1 :]]))
        yield verb.format(start + "/".join([*plain[:index], f"{{zz,{plain[index]}}}", *plain[index + 1 :]]))
        yield verb.format(start + "/".join([*plain[:index], f"@({plain[index]}|zz)", *plain[index + 1 :]]))
    yield verb.format(start + "/".join(stars))
    last = f"{escaped(names[-1][:2])}''{quoted(names[-1][2:])}"
    yield verb.format(start + "/".join([*plain[:-1], last]))
    named = verb.format(start + "/".join([*plain[:-1], '"$n"']))
    yield f"n={quoted(names[-1])}; {named}"
    if len(names) > 1:
        yield from in_folder(verb, start + "/".join(plain[:-1]), plain[-1], stars[-1])
        yield from in_folder(verb, start + "/".join(stars[:-1]), plain[-1], stars[-1])


def in_folder(verb: str, folder: str, name: str, star: str) -> Iterator[str]:
    """The verb on a name in a folder that is said before, plainly or by a glob."""
    below = verb.format(f'"$d"/{name}')
    yield f"cd {folder} && {verb.format(name)}"
    yield f"cd {folder}; {verb.format(star)}"
    yield f"pushd {folder} && {verb.format('./' + name)}"
    yield f"for d in {folder}; do {below}; done"
    yield f"d=$(ls -d {folder}); {below}"
    yield f"d=$(echo {folder}); {below}"
    yield f"a=({folder}); " + below.replace("$d", "${a[0]}")
    yield f"set -- {folder}; " + below.replace("$d", "$1")


def weaker(verb: str, path: str, texts: Iterable[str], root: str = ROOT) -> Iterator[str]:
    """Those of the texts that are judged weaker than the verb on the plain path."""
    expected = decide(verb.format(escaped(path)), root)
    for text in texts if expected > Decision.CONTINUE else ():
        if decide(text, root) < expected:
            yield f"{text}  (the path: {expected.word})"


def chosen(start: str, path: str) -> tuple[str, list[str]]:
    """The verb and the spellings that fall to a path: together they take in every kind of both."""
    number = zlib.crc32(f"{start}{path}".encode())
    verb = VERBS[number % len(VERBS)]
    return verb, list(spellings(verb, start, path))[number % EVERY :: EVERY]


def tried_on(start: str, path: str) -> Iterator[tuple[str, list[str]]]:
    """Verbs with spellings: some for each path, or with `make test-names` all that there are."""
    if os.environ.get("SPELLINGS") != "all":
        yield chosen(start, path)
        return
    yield from ((verb, list(spellings(verb, start, path))) for verb in VERBS)


def test_no_way_to_write_a_protected_path_is_judged_weaker_than_the_path():
    tried, found = 0, []
    for start, path in protected():
        for verb, texts in tried_on(start, path):
            tried += len(texts)
            found += weaker(verb, start + path, texts)
    assert not found, f"{len(found)} of {tried}:\n" + "\n".join(found[:60])
    assert tried >= FEWEST


@pytest.fixture
def project(tmp_path):
    """With every file in it that is secret by its name, and a folder of them behind a link."""
    for name in spelled_names.ANYWHERE:
        (tmp_path / "project" / "kept").mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text("x")
        (tmp_path / "project" / "kept" / name).write_text("x")
    return str(tmp_path / "project")


def test_no_glob_hides_a_secret_that_is_there(project):
    """In a project `log*` may mean anything, so what it matches on the disk decides."""
    tried, found = 0, []
    for name in sorted(spelled_names.ANYWHERE):
        verb = VERBS[zlib.crc32(name.encode()) % len(VERBS)]
        for path in (name, f"kept/{name}"):
            texts = list(spellings(verb, "", path))
            tried += len(texts)
            found += weaker(verb, path, texts, project)
    assert not found, f"{len(found)} of {tried}:\n" + "\n".join(found[:60])
    assert tried >= 1_000


@pytest.fixture
def linked(tmp_path, monkeypatch):
    """A home on the disk, and a project with links into it."""
    home, root = tmp_path / "home", tmp_path / "project"
    root.mkdir()
    for name in (".ssh", ".claude", ".local/state/fairlead", ".aws"):
        (home / name).mkdir(parents=True)
    for name in (".ssh/id_rsa", ".claude/settings.json", ".local/state/fairlead/off", ".aws/credentials"):
        (home / name).write_text("x")
    monkeypatch.setattr(calls, "home_of_user", lambda: str(home))
    (root / "notes").mkdir()
    for number, name in enumerate((".ssh", ".claude", ".local/state/fairlead", ".aws")):
        (root / f"data{number}").symlink_to(home / name)
    for name in ("id_rsa", "credentials"):
        (root / "notes" / f"{name}.txt").symlink_to(home / (".ssh" if name == "id_rsa" else ".aws") / name)
    return str(root)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("plain", "path"),
    [
        ("~/.ssh/id_rsa", "data0/id_rsa"),
        ("~/.claude/settings.json", "data1/settings.json"),
        ("~/.local/state/fairlead/off", "data2/off"),
        ("~/.aws/credentials", "data3/credentials"),
        ("~/.ssh/id_rsa", "notes/id_rsa.txt"),
        ("~/.aws/credentials", "notes/credentials.txt"),
    ],
)
def test_no_glob_over_a_link_hides_where_it_leads(linked, verb, plain, path):
    through_a_star = [verb.format("*/" + path.split("/")[1]), verb.format(path.split("/")[0] + "/*")]
    texts = [*spellings(verb, "", path), *through_a_star]
    if verb.startswith(("mv", "rm")) and path.startswith("notes"):
        plain = path  # the link itself goes, and not what it leads to
    assert not list(weaker(verb, plain, texts, linked))


def in_other_letters(path: str) -> Iterator[str]:
    yield path.upper()
    yield path.title()
    yield path.swapcase()


def test_no_letters_of_the_other_case_hide_a_path_from_a_disk_that_ignores_case(monkeypatch):
    monkeypatch.setattr(calls, "_ignores_case", lambda home: True)
    tried, found = 0, []
    for start, path in protected():
        verb = VERBS[zlib.crc32(path.encode()) % len(VERBS)]
        texts = [verb.format(start + escaped(text)) for text in in_other_letters(path)]
        stars = [with_star(name, top=not index) for index, name in enumerate(path.upper().split("/"))]
        texts.append(verb.format(start + "/".join(stars)))
        tried += len(texts)
        found += weaker(verb, start + path, texts)
    assert not found, f"{len(found)} of {tried}:\n" + "\n".join(found[:60])
    assert tried >= 10_000
