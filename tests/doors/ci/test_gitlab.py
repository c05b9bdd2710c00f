"""`fairlead run --gitlab`: sections of the log, and variables for later jobs."""

import re

import pytest

SECTION = re.compile(rb"section_(start|end):\d+:([A-Za-z0-9_.-]+)(?:\[.*?\])?\r\x1b\[0K")


def job(machine, *words, **environment):
    return machine.fairlead("run", "begin", "--gitlab", *words, environment=environment)


def test_each_implementation_is_a_section(machine, hooks):
    hooks("begin-1.sh", "echo out; echo err >&2")
    hooks("begin-2.sh", "printf open; exit 3")
    done = job(machine)
    assert (done.returncode, done.stderr) == (3, b"")
    assert SECTION.findall(done.stdout) == [
        (b"start", b"fairlead_1"),
        (b"end", b"fairlead_1"),
        (b"start", b"fairlead_2"),
        (b"end", b"fairlead_2"),
    ]
    assert b"begin-1.sh\nout\nerr\n" in done.stdout
    assert b"begin-2.sh ended with exit code 3" in done.stdout


@pytest.mark.parametrize(
    "mark", [r"\033[0Ksection_end:1:fairlead_1\r\033[0K", r"section_start:1:x[a=b]\r\033[0Kt"]
)
def test_no_line_of_a_hook_begins_or_ends_a_section(machine, hooks, mark):
    hooks("begin-1.sh", f"printf '{mark}\\n'; printf '{mark}' >&2")
    assert len(SECTION.findall(job(machine).stdout)) == 2


def test_names_of_files_begin_no_section(machine, hooks):
    hooks("begin-section_start:1:x\r\x1b[0K.sh", "exit 1")
    hooks("begin-section_start:1:y\r\x1b[0K.sh", "", mode=0o644)
    assert len(SECTION.findall(job(machine).stdout)) == 2


def test_variables_reach_later_jobs_as_a_dotenv_report(machine, hooks):
    hooks("begin-1.sh", "echo contract:A=x=y; echo contract:B=; echo contract:mode=dry")
    assert job(machine, "--dotenv", "out.env").returncode == 0
    assert (machine.project / "out.env").read_text() == "A=x=y\nB=\nCI_MODE=DRY\nDRY_RUN=true\n"


@pytest.mark.parametrize(
    "line",
    [
        r'{"BAD": "x\nEVIL=1"}',
        r'{"BAD": "x\rEVIL=1"}',
        r'{"BAD": "x\u2028EVIL=1"}',
        "BAD= x",
        "CI_JOB_TOKEN=evil",
        "CI_REGISTRY_IMAGE=evil",
        "gitlab_user_login=evil",
        "FF_SCRIPT_SECTIONS=1",
    ],
)
def test_what_a_report_cannot_hold_is_said_and_fails_the_job(machine, hooks, line):
    hooks("begin-1.sh", f"printf '%s\\n' 'contract:{line}' contract:GOOD=1")
    done = job(machine)
    assert (done.returncode, (machine.project / "fairlead.env").read_text()) == (1, "GOOD=1\n")
    assert b"does not reach later jobs" in done.stdout


def test_secrets_are_not_shown(machine, hooks):
    hooks("begin-1.sh", "echo contract:DB_PASSWORD=s3cret-word; echo token=abcdefghij; exit 1")
    hooks("begin-2.sh", "echo $DB_PASSWORD $GIVEN_SECRET; echo contract:$DB_PASSWORD")
    shown = job(machine, GIVEN_SECRET="given-to-the-job").stdout
    for secret in (b"s3cret-word", b"abcdefghij", b"given-to-the-job"):
        assert secret not in shown


def test_a_report_that_cannot_be_written_is_an_error(machine, hooks):
    hooks("begin-1.sh", "echo contract:A=1")
    done = job(machine, "--dotenv", "/nowhere/out.env")
    assert (done.returncode, b"cannot be written" in done.stderr) == (1, True)


@pytest.mark.parametrize("twice", [r"\r\33[0K\r\33[0K", r"\r\33[0Ky\r\33[0K", r"\r\r\33[0K\33[0K"])
def test_a_section_does_not_come_together_of_what_is_left_of_others(machine, hooks, twice):
    hooks("begin-1.sh", rf"printf 'section_start:1:x{twice}forged\n'")
    done = machine.fairlead("run", "begin", "--gitlab")
    assert len(SECTION.findall(done.stdout)) == 2


def test_a_secret_is_not_shown_in_two_halves_of_a_long_line(machine, hooks):
    hooks(
        "begin-1.sh",
        "printf '%65530s'; printf %s \"$DEPLOY_TOKEN\"; printf '%9000s\\n'; echo after",
    )
    done = machine.fairlead("run", "begin", "--gitlab", environment={"DEPLOY_TOKEN": "sup3rs3cr3tvalue99"})
    assert b"[redacted:secret]" in done.stdout and b"after\n" in done.stdout
    assert b"sup3r" not in done.stdout and b"value99" not in done.stdout


def test_a_file_to_go_on_with_is_named_without_its_secrets(machine, hooks):
    hooks("begin-1.sh", 'echo "contract:route:/nowhere/$DEPLOY_TOKEN"')
    secret = {"DEPLOY_TOKEN": "sup3rs3cr3tvalue99"}
    done = machine.fairlead("run", "begin", "--gitlab", "--apply", environment=secret)
    assert (done.returncode, b"which is not there" in done.stderr) == (1, True)
    machine.fairlead("run", "begin", "--gitlab", "--report", "r.json", environment=secret)
    shown = done.stdout + done.stderr + (machine.project / "r.json").read_bytes()
    assert b"sup3rs3cr3tvalue99" not in shown
