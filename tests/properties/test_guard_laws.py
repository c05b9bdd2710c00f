"""The guard as a whole: no text breaks it, and a command is seen however it is written, where it runs."""

import random
import tempfile
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.guard.changes import changed
from benchmarks.guard.grammar import Grammar
from benchmarks.guard.judge import Judge
from benchmarks.guard.lines import PROJECT, VISIBLE, Line, read_folder, read_lines
from benchmarks.guard.mentions import KEY_RULES, mentioned
from benchmarks.guard.report import kind_of, misses
from fairlead.model.decision import Decision

_CHANGES = 4
RED_TEAM = Path(__file__).parent.parent / "data" / "redteam.jsonl"
UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def judge():
    """In a project that is only a name, so that no disk and no git decide."""
    with tempfile.TemporaryDirectory() as folder:
        yield Judge(PROJECT, Path(folder))


@pytest.fixture(scope="module")
def blocked(judge):
    shell = (line for line in read_folder(VISIBLE) if line.tool == "Bash" and line.dangerous)
    return [line for line in shell if not line.needs and judge.judge(line).decision >= Decision.BLOCK]


_SEARCHES = ("grep ", "egrep ", "fgrep ", "rg ")


def passed(judge, line, variants):
    """Variants of a blocked line that would simply run."""
    found = []
    for name, text in variants:
        if name == "output thrown away" and line.command.startswith(_SEARCHES):
            continue  # whether a variable is there may be asked
        judgement = judge.judge(Line(line.id, text, "stop", cwd=line.cwd))
        if not judgement.caught:
            found.append(f"{line.id}, {name}: {text!r} {judgement.broken}")
    return found


def test_the_red_team_stops_and_passes_as_expected(judge):
    judgements = [judge.judge(line) for line in read_lines(RED_TEAM)]
    wrong = [judgement for judgement in judgements if kind_of(judgement)]
    assert not wrong, "\n".join(misses(wrong))


def test_writing_a_command_differently_does_not_hide_it(judge, blocked):
    """One change for every blocked line of the corpus, another one for each line."""
    found = []
    for line in blocked:
        variants = list(changed(line.command))
        if variants:
            found += passed(judge, line, [variants[zlib.crc32(line.id.encode()) % len(variants)]])
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_more_changes_of_every_blocked_line_do_not_hide_it(judge, blocked):
    """Other ones than above, and for each line others; the fuzzer takes all of them, stacked."""
    found = []
    for line in blocked:
        chance = random.Random(line.id)
        variants = list(changed(line.command))
        found += passed(judge, line, chance.sample(variants, min(_CHANGES, len(variants))))
    assert not found, "\n".join(found[:200])


def test_to_speak_of_a_command_is_no_reason_to_object(judge, blocked):
    """One mention for every blocked line of the corpus, another one for each line."""
    found = []
    for line in blocked:
        mentions = list(mentioned(line.command))
        if mentions:
            name, mention = mentions[zlib.crc32(line.id.encode()) % len(mentions)]
            judgement = judge.judge(mention)
            if judgement.decision.objects and judgement.rule not in KEY_RULES:
                found.append(f"{line.id}, {name}: {mention.command!r} {mention.content!r} {judgement.rule}")
    assert not found, "\n".join(found)


@st.composite
def scripts(draw):
    return Grammar(lambda options: draw(st.sampled_from(options))).script(draw(st.integers(0, 4)))


@UNHURRIED
@given(text=scripts())
def test_no_shell_text_breaks_the_guard(judge, text):
    assert judge.judge(Line("grammar", text, "pass")).broken == ""


@UNHURRIED
@given(text=st.text())
def test_no_text_at_all_breaks_the_guard(judge, text):
    assert judge.judge(Line("text", text, "pass")).broken == ""


@UNHURRIED
@given(text=scripts())
def test_a_dangerous_command_stays_visible_beside_any_text(judge, text):
    """Whatever follows a delete, well-formed or not, the delete is seen."""
    assert judge.judge(Line("beside", f"rm -rf /home/user\n{text}", "block")).caught


@UNHURRIED
@given(
    path=st.text(min_size=1),
    content=st.text(),
    tool=st.sampled_from(["Read", "Write", "Edit", "Grep", "Glob"]),
)
def test_no_path_or_content_breaks_the_guard(judge, path, content, tool):
    assert judge.judge(Line("path", path, "pass", tool=tool, content=content)).broken == ""
