"""Build tools, playbooks and other files that run commands."""

from __future__ import annotations

import pytest

from tests.unit.shell.following.recipe_files.project_kit import code_in, commands_in, places_in, read_in


def test_cargo_runs_its_build_script_and_what_the_settings_name() -> None:
    files = {
        "Cargo.toml": '[package]\nname = "a"\n',
        "build.rs": "fn main() {}",
        ".cargo/config.toml": '[build]\nrustc-wrapper = "./w.sh"\n[target.x]\nrunner = ["rm", "-r", "a b"]\n',
    }
    assert code_in(files, "cargo build") == [("any", "fn main() {}")]
    assert commands_in(files, "cargo build") == ["./w.sh"]
    assert commands_in(files, "cargo test -p a") == ["./w.sh", "rm -r a b"]
    assert commands_in(files, "cargo fmt") == []


def test_cargo_runs_the_build_scripts_of_a_workspace_and_of_a_named_manifest() -> None:
    files = {"Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n', "crates/a/build.rs": "a",
             "x/Cargo.toml": "", "x/build.rs": "x"}  # fmt: skip
    assert code_in(files, "cargo build") == [("any", "a")]
    assert code_in(files, "cargo build --manifest-path x/Cargo.toml") == [("any", "x")]


def test_cargo_make_runs_a_task_with_what_it_needs() -> None:
    text = '[tasks.a]\ncommand = "rm"\nargs = ["x y"]\n[tasks.b]\ndependencies = ["a"]\nscript = ["ls z"]\n'
    assert commands_in({"Makefile.toml": text}, "cargo make b") == ["ls z", "rm x y"]


def test_go_generate_runs_the_comments_that_say_so() -> None:
    files = {
        "a.go": "package a\n//go:generate rm -rf x\n// go:generate no\n",
        "b/c.go": "//go:generate ls y\n",
    }
    assert commands_in(files, "go generate") == ["rm -rf x"]
    assert places_in(files, "go generate ./...") == [("rm -rf x", ""), ("ls y", "b")]
    assert commands_in(files, "go build ./...") == []


_LOCAL = "- hosts: localhost\n  tasks: [{shell: rm -rf /srv}]\n"
_ABSENT = "- hosts: localhost\n  tasks: [{file: {path: /srv, state: absent}}]\n"
_ARGUMENTS = "<argument>-rf</argument><argument>/srv</argument>"


@pytest.mark.parametrize(
    ("files", "line", "command"),
    [
        ({"meson.build": "run_command('rm', '-rf', '/srv', check: true)"}, "meson setup b", "rm -rf /srv"),
        ({"build.gradle": "task x(type: Exec) {commandLine 'rm', '-rf', '/srv'}"}, "gradle x", "rm -rf /srv"),
        ({"build.gradle.kts": 'exec { commandLine("rm", "-rf", "/srv") }'}, "./gradlew build", "rm -rf /srv"),
        (
            {"pom.xml": f"<executable>rm</executable><arguments>{_ARGUMENTS}</arguments>"},
            "mvn package",
            "rm -rf /srv",
        ),
        ({"CMakeLists.txt": "execute_process(COMMAND rm -rf /srv)"}, "cmake -S . -B build", "rm -rf /srv"),
        (
            {"main.tf": 'data "external" "x" {\n program = ["bash", "-c", "rm -rf /srv"]\n}'},
            "terraform plan",
            "rm -rf /srv",
        ),
        (
            {"main.tf": 'resource "x" "y" {\n provisioner "local-exec" {\n command = "rm -rf /srv"\n}}'},
            "terraform apply",
            "rm -rf /srv",
        ),
        (
            {"CMakeLists.txt": "include(x.cmake)", "x.cmake": "execute_process(COMMAND rm -rf /srv)"},
            "cmake -B build",
            "rm -rf /srv",
        ),
        ({"sub/CMakeLists.txt": "execute_process(COMMAND rm -rf /srv)"}, "cmake -S sub -B b", "rm -rf /srv"),
        ({"s/x.tf": 'program = ["rm", "-rf", "/srv"]'}, "terraform -chdir=s plan", "rm -rf /srv"),
        ({"a.yml": "- import_playbook: b.yml", "b.yml": _LOCAL}, "ansible-playbook a.yml", "rm -rf /srv"),
        ({"b.yml": _LOCAL.replace("localhost", "all")}, "ansible-playbook -c local b.yml", "rm -rf /srv"),
        ({"b.yml": _ABSENT}, "ansible-playbook b.yml", "rm -rf /srv"),
        ({"Procfile": "web: npm start\nwipe: rm -rf /srv\n"}, "foreman start wipe", "rm -rf /srv"),
        ({".envrc": "export A=1\nrm -rf /srv\n"}, "direnv allow", "rm -rf /srv"),
        ({".envrc": "export A=1\nrm -rf /srv\n"}, "direnv allow .", "rm -rf /srv"),
    ],
)  # fmt: skip
def test_commands_in_files_of_builds_are_read(files: dict[str, str], line: str, command: str) -> None:
    assert command in commands_in(files, line)


def test_a_process_that_is_not_named_does_not_run() -> None:
    assert commands_in({"Procfile": "web: npm start\nwipe: rm -rf /srv\n"}, "honcho start web") == [
        "npm start"
    ]


_PLAY = """\
- hosts: localhost
  vars: {dir: /srv}
  tasks:
    - name: wipe
      ansible.builtin.shell: rm -rf {{ dir }}/data
      args: {chdir: /opt}
    - block:
        - command: {argv: [rm, -rf, "a b"]}
    - import_tasks: more.yml
    - debug: {msg: rm -rf /}
- hosts: web
  become: true
  tasks:
    - shell: rm -rf {{ other }}
"""


def test_a_playbook_runs_its_tasks_here_or_elsewhere() -> None:
    files = {"site.yml": _PLAY, "more.yml": "- raw: ls more\n"}
    found = commands_in(files, "ansible-playbook -i hosts site.yml")
    assert found[:3] == ["rm -rf /srv/data", "rm -rf a b", "ls more"]
    last = read_in(files, "ansible-playbook site.yml").commands[-1]
    assert last.argv[-1].opaque is not None
    assert [wrapper.place for wrapper in last.wrappers] == ["ssh:web", ""]
    assert commands_in(files, "ansible-playbook --check site.yml") == []


_RAKE = """\
require 'rake'
namespace :db do
  desc 'drops'
  task :drop do
    sh 'rm -rf /srv'
  end
end
task default: [:test]
task :test do
  sh 'rspec'
end
task :all => ['db:drop', :test] do
  puts 1
end
"""


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ("rake", {"rspec"}), ("rake test", {"rspec"}), ("rake db:drop", {"rm -rf"}),
        ("rake all", {"rspec", "rm -rf"}),
        ("bundle exec rake test", {"rspec"}), ('rake "$T"', {"rspec", "rm -rf"}), ("rake -T", set()),
    ],
)  # fmt: skip
def test_rake_runs_the_tasks_that_it_is_told(line: str, is_read: set[str]) -> None:
    code = "".join(text for _, text in code_in({"Rakefile": _RAKE}, line))
    assert {each for each in ("rspec", "rm -rf") if each in code} == is_read


def test_rake_reads_the_files_that_are_loaded() -> None:
    files = {
        "Rakefile": "import 'more.rake'",
        "more.rake": _RAKE,
        "lib/tasks/x.rake": "task :y do\n  sh 'ls'\nend\n",
    }
    code = [text for _, text in code_in(files, "rake db:drop")]
    assert any("rm -rf" in text for text in code)
    assert not any("sh 'ls'" in text for text in code)


def test_code_in_settings_of_tools_and_in_named_tests_is_read() -> None:
    files = {"vite.config.ts": "a()", "src/a.test.ts": "b()", "gulpfile.js": "c()", "Vagrantfile": "d()"}
    assert code_in(files, "vitest run src/a.test.ts") == [("javascript", "a()"), ("javascript", "b()")]
    assert code_in(files, "npx vite build") == [("javascript", "a()")]
    assert code_in({"rollup.config.js": "e()"}, "rollup -c") == [("javascript", "e()")]
    assert code_in({"eslint.config.js": "e()", "a.js": "f()"}, "eslint a.js") == [("javascript", "e()")]
    assert code_in({"spec/a_spec.rb": "e()"}, "rspec spec/a_spec.rb:12") == [("ruby", "e()")]
    assert code_in(files, "gulp build") == [("javascript", "c()")]
    assert code_in(files, "vagrant up") == [("ruby", "d()")]
