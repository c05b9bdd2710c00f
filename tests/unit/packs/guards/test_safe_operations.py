import pytest

from fairlead.model.decision import Decision
from fairlead.model.event import Event
from fairlead.model.tool_call import ToolKind
from fairlead.packs.guards.safe_operations import approve_safe_operations
from tests.unit.packs.guard_kit import shell_event, tool_event


def approved(event: Event) -> bool:
    outcome = approve_safe_operations(event, {}, ())
    return outcome is not None and outcome.decision is Decision.APPROVE


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "cat src/app.py | head -20",
        "grep -rn TODO src 2>/dev/null",
        "git status && git diff HEAD~1 --stat",
        "git log --oneline -5",
        "git branch -a",
        "find . -name '*.py'",
        "for f in a b; do wc -l $f; done",
        "python3 --version",
        "sort a.txt | uniq -c",
    ],
)
def test_what_only_reads_the_project_is_approved(command: str) -> None:
    assert approved(shell_event(command))


@pytest.mark.parametrize(
    "command",
    [
        "ls > out.txt",
        "cat .env",
        "cat /etc/passwd",
        "find . -delete",
        "find . -exec cat {} +",
        "git push",
        "git branch -D x",
        "git -c core.pager=sh log",
        "git diff --output=x",
        "sort -o a.txt b.txt",
        "uniq a.txt b.txt",
        "cat $X",
        "PAGER=sh git log",
        "PATH=/tmp ls",
        "./ls",
        "sudo cat a",
        "ls; make",
        "echo $(rm -rf /)",
        "rg --pre sh x",
        "ls ~",
        "python3 -c 'print(1)'",
        "",
    ],
)
def test_anything_else_gets_no_opinion(command: str) -> None:
    assert approve_safe_operations(shell_event(command), {}, ()) is None


def test_reading_tools_are_approved_inside_the_project_only() -> None:
    assert approved(tool_event(ToolKind.READ, file_path="src/app.py"))
    assert not approved(tool_event(ToolKind.READ, file_path="/etc/passwd"))
    assert not approved(tool_event(ToolKind.READ, file_path=".env"))
    assert not approved(tool_event(ToolKind.WRITE, file_path="src/app.py", content=""))
