"""What is remembered of calls that were let through."""

import io
import tarfile

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.session_kit import SessionOfCalls


@pytest.fixture
def session(tmp_path):
    (tmp_path / ".git").mkdir()
    return SessionOfCalls(tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        "echo hi > new",
        "echo hi | tee new",
        "cat > new <<'EOF'\nx\nEOF",
        "touch new",
        "cp old new",
        "python3 -c \"open('new','w').write('x')\"",
        "curl -fsSL https://x.example/a -o new",
        "wget -qO new https://x.example/a",
    ],
)
def test_a_file_that_a_shell_call_makes_is_the_sessions_own(session, command):
    session.make("old")
    session.run(command)
    assert session.memory.made(session.path("new"))
    assert not session.memory.made(session.path("old"))


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"content": "x"}),
        ("Edit", {"old_string": "a", "new_string": "b"}),
        ("MultiEdit", {"edits": [{"old_string": "a", "new_string": "b"}]}),
    ],
)
def test_file_tools_leave_a_note_that_tells_whether_the_file_was_there(session, tool, given):
    session.make("there")
    session.tool(tool, file_path=session.path("there"), **given)
    session.tool(tool, file_path=session.path("new"), **given)
    assert session.memory.wrote(session.path("there")).existed
    assert session.memory.made(session.path("new"))
    assert not session.memory.made(session.path("there"))


def test_a_folder_that_the_session_made_is_its_own_with_all_that_is_in_it(session):
    session.run("mkdir -p a/b")
    session.tool("Write", file_path=session.path("n/deep/x.txt"), content="x")
    assert session.memory.made(session.path("a"))
    assert session.memory.made(session.path("a/b/anything"))
    assert session.memory.made(session.path("n"))
    assert not session.memory.made(session.path("other"))


def test_what_was_moved_into_a_folder_of_the_session_is_older_than_it(session):
    session.make("precious")
    session.run("mkdir a")
    session.make("a/x")
    session.run("mv precious a/")
    assert not session.memory.made(session.path("a/precious"))
    assert not session.memory.made(session.path("a"))


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("mv prec* d/", "d"),
        ('mv "$X" d/', "d"),
        ("find . -name 'prec*' -exec mv -t d {} +", "d"),
        ("for f in prec*; do mv $f d/; done", "d"),
        ("python3 -c \"import os; os.rename('precious', 'x')\"", "x"),
        ("rsync -a --remove-source-files precious x", "x"),
        ("mv precious mine", "mine"),
        ("git mv -f precious mine", "mine"),
        ("git mv precious d/own/x", "d/own/x"),
    ],
)
def test_what_may_be_older_than_the_session_is_not_its_own_wherever_it_was_moved(session, command, place):
    session.make("precious", "d/y")
    session.let_through("mkdir -p d/own", "curl -o d/tool https://x.example/x", "echo x > mine", command)
    assert not session.memory.made(session.path(place))
    assert session.memory.fetched(session.path("d/tool"))


def test_what_the_session_made_stays_its_own_under_another_name(session):
    session.run("echo x > draft")
    session.make("draft")
    session.run("mv draft final")
    assert session.memory.made(session.path("final"))
    assert not session.memory.wrote(session.path("draft"))


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("git mv a/x.sh y.sh", "y.sh"),
        ("git mv -f a/x.sh y.sh && git commit -m y", "y.sh"),
        ("git mv a/x.sh d", "d/x.sh"),
        ("git mv a/x.sh a/other d/", "d/x.sh"),
        ("git mv a b", "b/x.sh"),
        ("git mv a d", "d/a/x.sh"),
        ("mv a/x.sh y.sh", "y.sh"),
        ("mv a b", "b/x.sh"),
        ("mv a d/", "d/a/x.sh"),
        ("cp a/x.sh y.sh", "y.sh"),
        ("cp -r a b", "b/x.sh"),
        ("cp -r a d", "d/a/x.sh"),
        ("install -m 755 a/x.sh y.sh", "y.sh"),
    ],
)
def test_what_the_session_wrote_is_known_under_every_name_that_it_gets(session, command, place):
    session.make("a/x.sh", "a/other", "d/y")
    session.tool("Write", file_path=session.path("a/x.sh"), content="echo")
    session.run(command)
    assert session.memory.wrote(session.path(place))


def test_what_the_session_left_alone_in_a_folder_is_not_its_own_when_the_folder_is_moved(session):
    session.make("a/x.sh", "a/other")
    session.tool("Write", file_path=session.path("a/x.sh"), content="echo")
    session.run("git mv a b")
    assert not session.memory.wrote(session.path("b/other"))
    assert not session.memory.wrote(session.path("a/x.sh"))


def test_an_older_file_under_the_name_of_an_own_one_is_not_the_sessions(session):
    session.make("precious")
    session.run("echo x > mine")
    session.make("mine")
    session.run("mv precious mine")
    assert not session.memory.made(session.path("mine"))


def test_a_file_that_was_deleted_is_forgotten(session):
    session.run("echo x > a")
    session.make("a")
    session.run("rm a")
    assert not session.memory.wrote(session.path("a"))


def test_a_blocked_call_is_not_remembered_and_an_asked_one_only_where_that_is_stricter(tmp_path):
    session = SessionOfCalls(tmp_path)
    assert session.run("curl https://x.example/a -o a; rm -rf /").decision is Decision.BLOCK
    assert not session.memory.fetched(session.path("a"))
    asked = session.run("curl https://x.example/a -o a && curl -T a https://y.example")
    assert asked.decision is Decision.ASK
    assert session.memory.fetched(session.path("a"))
    assert not session.memory.made(session.path("a"))


@pytest.mark.parametrize(
    ("command", "path", "source"),
    [
        ("curl -fsSL https://x.example/i.sh -o i.sh", "i.sh", "x.example"),
        ("curl -fsSLo i.sh https://x.example/a", "i.sh", "x.example"),
        ("curl -fsSLO https://x.example/i.sh", "i.sh", "x.example"),
        ("curl https://x.example/i.sh > i.sh", "i.sh", "x.example"),
        ("curl https://x.example/i.sh | tee i.sh", "i.sh", "x.example"),
        ("curl https://x.example/i.gz | gunzip > i", "i", "x.example"),
        ("curl --output-dir dl -O https://x.example/i.sh", "dl/i.sh", "x.example"),
        ("wget https://x.example/i.sh?raw=1", "i.sh", "x.example"),
        ("wget -q -P dl https://x.example/i.sh", "dl/i.sh", "x.example"),
        ("wget -qOi.sh https://x.example/a", "i.sh", "x.example"),
        ("aria2c -d dl -o i.sh https://x.example/a", "dl/i.sh", "x.example"),
        ("cd sub && curl -O https://x.example/i.sh", "sub/i.sh", "x.example"),
        ("git clone https://github.com/a/b", "b/x", "github.com/a/b"),
        ("git clone --depth 1 https://me:pw@github.com/a/b.git dir", "dir/x", "github.com/a/b"),
        ("git clone git@gitlab.com:a/b.git", "b/x", "gitlab.com/a/b"),
        (
            "git clone -q --depth 1 -b release/1.2 https://github.com/a/b /tmp/xb",
            "/tmp/xb/x",
            "github.com/a/b",
        ),
        ("git -C sub clone https://github.com/a/b", "sub/b/x", "github.com/a/b"),
        ("cd sub && git clone https://github.com/a/b && cd b && ls", "sub/b/x", "github.com/a/b"),
        ("gh repo clone a/b", "b/x", "github.com/a/b"),
        ("gh repo clone a/b there", "there/x", "github.com/a/b"),
        ("scp build-host:x.sh .", "x.sh", "build-host"),
        ("scp me@build.example:/srv/x y.sh", "y.sh", "build.example"),
        ("curl -L https://x.example/a.tgz | tar xz -C out", "out/run.sh", "x.example"),
        ("curl -LO https://x.example/a.zip && unzip a.zip -d new", "new/run.sh", "x.example"),
    ],
)
def test_what_comes_from_another_machine_is_marked_with_where_from(session, command, path, source):
    session.run(command)
    found = session.memory.fetched(session.path(path))
    assert found is not None
    assert found.source == source


@pytest.mark.parametrize(
    "command",
    [
        "curl http://localhost:3000/a -o a",
        "curl http://127.0.0.1/a -o a",
        "wget http://192.168.1.4/a -O a",
        "git clone ../other a",
        "git clone /srv/git/x a",
        "cp b a",
        "scp a host:",
    ],
)
def test_what_comes_from_here_or_goes_elsewhere_is_not_fetched(session, command):
    session.run(command)
    assert session.memory.fetched(session.path("a")) is None


def test_no_name_and_no_password_of_an_address_is_kept(session):
    session.run("git clone https://me:hunter2@github.com/a/b", "curl https://u:hunter2@x.example/y -o z")
    notes = session.memory.notes.recollect(session.memory.session).notes()
    assert not any("hunter2" in str(note) for note in notes)


@pytest.mark.parametrize("command", ["mv x y", "cp x y", "cp x sub/y && mv sub/y y", "ln x y"])
def test_a_fetched_file_keeps_its_mark_under_another_name(session, command):
    session.run("curl -o x https://x.example/a")
    session.make("x")
    session.run(*command.split(" && "))
    assert session.memory.fetched(session.path("y"))


def test_what_comes_out_of_a_fetched_archive_was_fetched(session):
    session.run("curl -LO https://x.example/tool.tgz")
    with tarfile.open(session.path("tool.tgz"), "w:gz") as archive:
        for name in ("tool-1.0/install.sh", "tool-1.0/bin/tool"):
            archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    session.run("tar xzf tool.tgz")
    assert session.memory.fetched(session.path("tool-1.0/install.sh"))
    assert session.memory.fetched(session.path("src/main.py")) is None


def test_an_archive_of_ones_own_leaves_no_mark(session):
    session.run("tar czf mine.tgz src", "tar xzf mine.tgz -C out")
    assert session.memory.fetched(session.path("out/x")) is None


@pytest.mark.parametrize(
    "check",
    [
        f"echo '{'a' * 64}  x' | sha256sum -c",
        f"sha256sum -c <<< '{'a' * 64}  x'",
        "sha256sum --check sums.txt",
        "shasum -a 256 -c sums.txt",
        "gpg --verify x.asc x",
    ],
)
def test_a_checksum_or_a_signature_that_names_the_file_checks_it(session, check):
    session.make("sums.txt", content=f"{'a' * 64}  x\n")
    session.run("curl -o x https://x.example/a", check)
    assert session.memory.checked(session.path("x"))


@pytest.mark.parametrize(
    "check", ["sha256sum x", f"echo '{'a' * 64}  other' | sha256sum -c", "gpg --import x"]
)
def test_what_names_another_file_or_only_prints_checks_nothing(session, check):
    session.run("curl -o x https://x.example/a", check)
    assert not session.memory.checked(session.path("x"))


@pytest.mark.parametrize(
    ("command", "subject"),
    [
        ("curl -s https://x.example/page", "x.example"),
        ("curl -s https://x.example/page | jq .", "x.example"),
        ("wget -qO- https://x.example/page", "x.example"),
        ("gh issue view 12", "gh issue"),
        ("gh pr view 12 --comments", "gh pr"),
    ],
)
def test_text_that_anybody_may_have_written_is_noted(session, command, subject):
    session.run(command)
    assert session.memory.untrusted_text().subject == subject


@pytest.mark.parametrize(
    "command", ["curl -s http://localhost:8000/health", "gh pr create --fill", "git log", "cat README.md"]
)
def test_text_of_ones_own_is_not(session, command):
    session.run(command)
    assert session.memory.untrusted_text() is None


def test_tools_that_bring_text_are_noted_by_what_they_ask(session):
    session.tool("WebFetch", url="https://news.example/a", prompt="what is new")
    assert session.memory.untrusted_text().subject == "news.example"
    session.tool("WebSearch", query="how to")
    assert session.memory.untrusted_text().subject == "a web search"
    session.tool("mcp__jira__get_issue", key="A-1")
    assert session.memory.untrusted_text().subject == "the MCP server jira"


def test_a_secret_that_a_person_lets_the_model_see_is_noted_by_its_path(tmp_path):
    session = SessionOfCalls(tmp_path, excused=["secrets/*"])
    session.make(".env", content="KEY=hunter2")
    session.run("cat .env")
    assert session.memory.secret_read().subject == session.path(".env")
    session = SessionOfCalls(tmp_path)
    assert session.run("cat .env").decision.objects
    assert session.memory.secret_read() is None


def test_an_ordinary_call_leaves_nothing(session):
    session.make("src/main.py")
    session.run("ls -la", "git status", "grep -rn foo src", "npm test", "cat src/main.py", "rm -f build.log")
    session.tool("Read", file_path=session.path("src/main.py"))
    assert session.memory.notes.recollect(session.memory.session) is None


def test_nothing_is_remembered_where_the_policy_wants_none(tmp_path):
    session = SessionOfCalls(tmp_path, remember=0)
    session.run("curl -o x https://x.example/a")
    assert session.memory.notes.recollect(session.memory.session) is None
