"""`fairlead run --github`: what the runner sees, and what a hostile hook cannot make it see."""

import os

import pytest

from github_runner import Runner, entries

FORGED = [
    "::error::forged",
    "  ::add-mask::a",
    "::set-output name=x::y",
    "::stop-commands::mine",
    "::endgroup::",
    "##[error]forged",
    "::SAVE-STATE name=x::y",
]


def test_each_implementation_is_a_group_and_output_is_shown_in_order(step, hooks):
    hooks("begin-1.sh", "echo out; echo err >&2; echo last")
    hooks("begin-2.sh", "printf open")
    done, runner = step.run()
    assert (done.returncode, done.stderr) == (0, b"")
    assert [data for _, data in runner.named("group")] == ["begin-1.sh", "begin-2.sh"]
    assert len(runner.named("endgroup")) == 2
    assert [line for line in runner.shown if line] == ["out", "err", "last", "open"]


def test_a_failure_is_an_error_at_its_file(step, hooks):
    hooks("begin-a,b:c%.sh", "exit 3")
    done, runner = step.run()
    assert done.returncode == 3
    ((properties, message),) = runner.named("error")
    assert "file=ci-cd/begin-a,b:c%.sh" in properties
    assert message == "begin-a,b:c%.sh ended with exit code 3"
    assert b"file=ci-cd/begin-a%2Cb%3Ac%25.sh,title=" in done.stdout


def test_variables_reach_later_steps_and_outputs_say_how_it_ended(step, hooks):
    hooks(
        "begin-1.sh",
        r"""printf '%s\n' 'contract:{"A": "one\ntwo", "B": ""}' contract:C=x=y contract:mode=skip""",
    )
    done, _ = step.run("--apply")
    assert done.returncode == 0
    assert entries(step.env) == {"A": "one\ntwo", "B": "", "C": "x=y", "CI_MODE": "SKIP"}
    assert entries(step.output) == {
        **entries(step.env),
        "exit-code": "0",
        "hook-result": "skip",
        "hook-ends": "true",
    }


def test_without_a_request_the_job_goes_on(step, hooks):
    hooks("begin-1.sh", "true")
    step.run("--apply")
    assert entries(step.output) == {"exit-code": "0", "hook-result": "", "hook-ends": "false"}


@pytest.mark.parametrize(
    "how", ["echo '{}'", "echo '{}' >&2", r"printf 'x\r{}\r'", "printf '{}'", r"printf '\n\r\n{}\n'"]
)
def test_no_line_of_a_hook_is_a_command(step, hooks, how):
    for number, line in enumerate(FORGED):
        hooks(f"begin-{number}.sh", how.format(line))
    _, runner = step.run()
    assert [name for name, _, _ in runner.commands] == ["group", "endgroup"] * len(FORGED)
    assert all(line.strip() in "\n".join(runner.shown) for line in FORGED)


def test_names_of_files_and_messages_about_them_are_no_commands(step, hooks):
    hooks("begin-\n::error::forged\n.sh", "echo 'contract:\r::error::forged'; exit 1")
    hooks("begin-x\n::error::forged.sh", "", mode=0o644)
    _, runner = step.run()
    assert {name for name, _, _ in runner.commands} == {"group", "endgroup", "warning", "error"}
    assert [data for _, data in runner.named("error")] == [
        "begin-\n::error::forged\n.sh ended with exit code 1"
    ]


def test_a_routed_file_is_no_source_of_commands_either(step, hooks, machine):
    hooks("begin-1.sh", "echo contract:route:other.sh")
    (machine.project / "other.sh").write_text("echo ::error::forged; printf ::error::forged >&2")
    done, runner = step.run("--apply")
    assert (done.returncode, runner.named("error")) == (0, [])


def test_values_cannot_add_names(step, hooks):
    evil = r"x\nEVIL=1\nEVIL2<<EOF\ny\nEOF\nfairlead_0\n"
    hooks("begin-1.sh", f"""printf '%s\\n' 'contract:{{"A": "{evil}"}}'; printf 'contract:B=x\\rEVIL=1\\n'""")
    step.run()
    assert set(entries(step.env)) == {"A", "B"}
    assert entries(step.env)["A"] == evil.replace(r"\n", "\n")


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "github_sha", "RUNNER_TEMP", "ACTIONS_RUNTIME_URL", "CI"])
def test_names_of_github_are_refused_and_that_is_a_failure(step, hooks, name):
    hooks("begin-1.sh", f"echo contract:{name}=evil; echo contract:GOOD=1")
    done, runner = step.run()
    assert (done.returncode, set(entries(step.env))) == (1, {"GOOD"})
    assert name in runner.named("warning")[0][1]


@pytest.mark.parametrize("name", ["NODE_OPTIONS", "LD_PRELOAD", "PATH", "BASH_ENV", "A B", "A=B", "A<<B"])
def test_names_that_no_contract_may_set_are_not_written(step, hooks, name):
    hooks("begin-1.sh", f"echo 'contract:{name}=evil'")
    step.run()
    assert name not in entries(step.env)


def test_hooks_do_not_know_the_files_of_the_step(step, hooks):
    hooks(
        "begin-1.sh", "env | grep -c -e ^GITHUB_ENV -e ^GITHUB_OUTPUT -e ^GITHUB_STEP_SUMMARY -e ^GITHUB_PATH"
    )
    _, runner = step.run(GITHUB_PATH=str(step.env.with_name("path-file")))
    assert "0" in runner.shown


def test_what_a_hook_writes_to_the_files_itself_is_taken_out_and_fails_the_step(step, hooks):
    step.env.write_text("EARLIER=step\n")
    hooks("begin-1.sh", f"echo EVIL=1 >>{step.env}; echo contract:GOOD=1")
    done, runner = step.run()
    assert done.returncode == 1
    assert entries(step.env) == {"EARLIER": "step", "GOOD": "1"}
    assert "wrote to" in runner.named("error")[0][1]


@pytest.mark.parametrize("name", ["GITHUB_PATH", "GITHUB_STATE"])
def test_what_a_hook_adds_to_the_path_of_later_steps_is_taken_out(step, hooks, name):
    file = step.env.with_name("file")
    file.write_text("/earlier\n")
    hooks("begin-1.sh", f"echo /evil >>{file}")
    done, runner = step.run(**{name: str(file)})
    assert (done.returncode, file.read_text()) == (1, "/earlier\n")
    assert "wrote to" in runner.named("error")[0][1]


def test_a_file_that_a_hook_replaced_keeps_nothing_in_the_others(step, hooks):
    hooks("begin-1.sh", f"echo EVIL=1 >>{step.env}; rm {step.output}")
    done, _ = step.run()
    assert (done.returncode, step.env.read_text()) == (1, "")
    assert b"has replaced" in done.stderr


def test_a_file_that_a_hook_replaced_is_an_error(step, hooks):
    hooks("begin-1.sh", f"rm {step.env}; echo EVIL=1 >{step.env}")
    done, _ = step.run()
    assert (done.returncode, b"has replaced" in done.stderr) == (1, True)


@pytest.mark.parametrize("missing", ["GITHUB_ENV", "GITHUB_OUTPUT"])
@pytest.mark.parametrize("value", ["", "/nowhere/file", "/"])
def test_a_step_that_cannot_hand_on_runs_nothing(step, hooks, machine, missing, value):
    hooks("begin-1.sh", "touch ran")
    done, _ = step.run(**{missing: value})
    assert done.returncode == 1
    assert (missing if value == "" else "cannot be written") in done.stderr.decode()
    assert not (machine.project / "ran").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_without_the_right_to_write_runs_nothing(step, hooks, machine):
    hooks("begin-1.sh", "touch ran")
    step.env.chmod(0o400)
    done, _ = step.run()
    assert (done.returncode, (machine.project / "ran").exists()) == (1, False)


def test_secrets_are_masked_before_they_are_shown(step, hooks):
    hooks(
        "begin-1.sh",
        "echo password=hunter2hunter2; echo later hunter2hunter2; echo contract:DB_PASSWORD=s3cret-word",
    )
    hooks("begin-2.sh", "echo $DB_PASSWORD is it; echo $GIVEN_TOKEN too; exit 1")
    _, runner = step.run("--junit", "j.xml", "--report", "r.json", GIVEN_TOKEN="given-to-the-step")
    masked = {data for _, data in runner.named("add-mask")}
    assert masked == {"hunter2hunter2", "s3cret-word"}
    for secret in ("hunter2hunter2", "s3cret-word", "given-to-the-step"):
        assert secret not in "\n".join(runner.shown)
        assert secret not in step.summary.read_text()
        for report in ("j.xml", "r.json"):
            assert secret not in (step._machine.project / report).read_text()
    assert entries(step.env)["DB_PASSWORD"] == "s3cret-word"


def test_outside_of_github_no_secret_is_printed_as_a_mask(step, hooks):
    hooks("begin-1.sh", "echo password=hunter2hunter2")
    done, _ = step.run(GITHUB_ACTIONS="")
    assert b"hunter2hunter2" not in done.stdout


KEY = "-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA7bq0", "-----END RSA PRIVATE KEY-----"


def test_a_private_key_is_masked_line_by_line_and_its_end_ends_it(step, hooks):
    hooks("begin-1.sh", "\n".join(f"echo '{line}'" for line in (*KEY, "after")))
    hooks("begin-2.sh", f"echo '{KEY[0]}'")
    hooks("begin-3.sh", "echo another")
    _, runner = step.run()
    assert KEY[1] not in runner.shown
    assert {"after", "another"} <= set(runner.shown)


def test_the_summary_is_a_table_in_which_a_hook_writes_text(step, hooks):
    hooks("begin-<b>`|*.sh", "echo '</pre><script>x</script>'; echo; echo '# title'; exit 2")
    step.run()
    text = step.summary.read_text()
    assert "<script>" not in text
    assert "begin-&lt;b&gt;`|*.sh" in text
    assert "exit code 2" in text
    assert "\n#" not in text and "\n\n" not in text.strip()


def test_binary_output_and_long_lines_reach_the_log(step, hooks):
    hooks("begin-1.sh", r"head -c 300000 /dev/zero | tr '\0' x; printf '\n\xff\xfe\0end\n'")
    done, runner = step.run()
    assert done.returncode == 0
    assert sum(line.count("x") for line in runner.shown if set(line) == {"x"}) == 300000
    assert b"\xff\xfe\0end\n" in done.stdout


def test_options_that_exclude_one_another(machine, hooks):
    assert machine.fairlead("run", "begin", "--github", "--gitlab").returncode == 64
    assert machine.fairlead("run", "begin", "--github", "--json").returncode == 64


def test_the_runner_of_these_tests_would_obey_a_line_of_a_hook():
    assert Runner().read(b"x\r  ::error file=a::forged\n").commands == [("error", "file=a", "forged")]


def test_what_a_hook_changes_in_place_in_the_files_is_put_back(step, hooks):
    step.env.write_text("VERSION=1.2.3\n")
    hooks("begin-1.sh", f"printf 'VERSION=6.6.6\\n' 1<>{step.env}; echo contract:A=1")
    done, runner = step.run()
    assert (done.returncode, entries(step.env)) == (1, {"VERSION": "1.2.3", "A": "1"})
    assert "taken out again" in runner.named("error")[0][1]
