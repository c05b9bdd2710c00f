"""What `make` would run, from its goals and its files."""

from __future__ import annotations

import pytest

from fairlead.shell.unknown import Kind
from shell_kit import HOME, PROJECT
from tests.unit.shell.following.recipe_files.project_kit import commands_in, places_in, read_in

_FILE = """\
BUILD := build
PREFIX ?= /usr/local

.PHONY: all clean
all: app docs

app: main.o | folders
\t$(CC) -o $@ $^

%.o: %.c
\tcc -c $< -o $@

folders:
\t@mkdir -p $(BUILD)

docs: ; mkdocs build

clean:
\t-rm -rf $(BUILD)

wipe:
\trm -rf $(HOME)
"""


def test_the_first_target_and_all_that_it_depends_on_run_in_order() -> None:
    assert commands_in({"Makefile": _FILE}, "make") == [
        "cc -c main.c -o main.o",
        "mkdir -p build",
        "cc -o app main.o",
        "mkdocs build",
    ]


def test_a_named_target_runs_and_no_other() -> None:
    assert commands_in({"Makefile": _FILE}, "make clean") == ["rm -rf build"]
    assert commands_in({"Makefile": _FILE}, "make -j4 wipe") == [f"rm -rf {HOME}"]
    assert commands_in({"Makefile": _FILE}, "make nothing-here") == []


def test_every_target_may_run_where_the_goal_is_not_known() -> None:
    assert f"rm -rf {HOME}" in commands_in({"Makefile": _FILE}, 'make "$GOAL"')


@pytest.mark.parametrize(
    ("text", "line", "command"),
    [
        ("a:\n\trm -rf $(D)\n", "make D=/srv", "rm -rf /srv"),
        ("D = x\na:\n\trm -rf $(D)\n", "make D=/srv", "rm -rf /srv"),
        ("D ?= x\na:\n\trm -rf $(D)\n", "D=/srv make", "rm -rf /srv"),
        ("D = x\nD += y\na:\n\trm -rf $(D)\n", "make", "rm -rf x y"),
        ("override D = x\na:\n\trm -rf ${D}\n", "make", "rm -rf x"),
        ("a: D = x\na:\n\trm -rf $(D)\n", "make", "rm -rf x"),
        ("D := $(shell echo /srv)\na:\n\trm -rf $(D)\n", "make", "rm -rf /srv"),
        ("D != echo /srv\na:\n\trm -rf $(D)\n", "make", "rm -rf /srv"),
        ("a:\n\tD=/srv; rm -rf $$D\n", "make", "rm -rf /srv"),
        ("export D = /srv\na:\n\trm -rf $$D\n", "make", "rm -rf /srv"),
        ("define X\nls\nrm -rf $(1)\nendef\na:\n\t$(call X,/srv)\n", "make", "rm -rf /srv"),
        (".ONESHELL:\na:\n\tcd /srv\n\trm -rf data\n", "make a", "rm -rf data"),
        ("a:\n\trm -rf \\\n\t  /srv\n", "make", "rm -rf /srv"),
        (".RECIPEPREFIX = >\na:\n>rm -rf /srv\n", "make", "rm -rf /srv"),
        ("SHELL = python3\na:\n\tprint(1)\n", "make", "python3 -c print(1)"),
        ("a b: ; rm -rf $@\n", "make b", "rm -rf b"),
        ("a b: %: %.in ; rm -rf $*\n", "make b", "rm -rf b"),
        (".c.o:\n\trm -rf $@\n", "make x.o", "rm -rf x.o"),
        ("a:\n\trm -rf $(patsubst %.c,%.o,a.c b.c)\n", "make", "rm -rf a.o b.o"),
        ("L = a.c b.c\na:\n\trm -rf $(L:.c=.o)\n", "make", "rm -rf a.o b.o"),
        ("a:\n\trm -rf $(foreach d,x y,$(d)/out)\n", "make", "rm -rf x/out y/out"),
        ("a:\n\trm -rf $(wildcard *.o)\n", "make", "rm -rf *.o"),
        ("$(eval a: ; rm -rf /srv)\n", "make a", "rm -rf /srv"),
        ("define R\n$(1): ; rm $(1)\nendef\n$(foreach t,a b,$(eval $(call R,$(t))))\n", "make b", "rm b"),
        (".DEFAULT_GOAL := b\na: ; ls\nb: ; rm -rf /srv\n", "make", "rm -rf /srv"),
        ("a: ; ls\n.DEFAULT: ; rm -rf /srv\n", "make z", "rm -rf /srv"),
        ("ifdef D\na: ; rm -rf x\nelse\na: ; rm -rf y\nendif\n", "make D=1", "rm -rf x"),
        ("ifeq ($(D),1)\na: ; rm -rf x\nelse\na: ; rm -rf y\nendif\n", "make D=2", "rm -rf y"),
        ("a: D = /srv\na: b\nb:\n\trm -rf $(D)\n", "make", "rm -rf /srv"),
        ("a: export D = /srv\na:\n\trm -rf $$D\n", "make", "rm -rf /srv"),
        ("D = x\na:\n\trm -rf $(D)\n", "D=/srv make -e", "rm -rf /srv"),
        ("CC = rm -rf /srv;\n", "make x.o", "rm -rf /srv"),
        ("CC = rm -rf /srv;\na: x.o\n", "make", "rm -rf /srv"),
        ("a:\n\t$(or $(X),rm -rf /srv)\n", "make", "rm -rf /srv"),
        ("a:\n\trm -rf $(if $(X),x,y)\n", "make", "rm -rf x y"),
        ("a:\n\tls\n", "make --eval='a: ; rm -rf /srv' a", "rm -rf /srv"),
    ],
)  # fmt: skip
def test_the_language_of_make_is_read(text: str, line: str, command: str) -> None:
    assert command in commands_in({"Makefile": text}, line)


def test_both_branches_of_a_condition_count_that_depends_on_the_environment() -> None:
    text = "ifeq ($(CI),true)\nD = /srv\nelse\nD = /opt\nendif\na:\n\trm -rf $(D)\n"
    assert commands_in({"Makefile": text}, "make") == ["rm -rf /srv", "rm -rf /opt"]
    assert commands_in({"Makefile": text}, "make", CI="true") == ["rm -rf /srv"]


def test_every_branch_counts_of_a_condition_with_many() -> None:
    text = "ifeq ($(A),1)\nD = x\nelse ifeq ($(A),2)\nD = y\nelse\nD = z\nendif\na:\n\trm $(D)\n"
    assert commands_in({"Makefile": text}, "make") == ["rm x", "rm y", "rm z"]


def test_what_is_set_nowhere_stays_unknown_and_is_named() -> None:
    text = "a:\n\trm -rf $(DESTDIR)/usr/share/app\n"
    (word,) = [each for each in read_in({"Makefile": text}, "make").commands[-1].argv if each.opaque]
    assert word.text == "$(DESTDIR)/usr/share/app"
    assert word.opaque is not None
    assert word.opaque.name == "$DESTDIR"


def test_a_makefile_is_found_by_option_by_folder_and_by_include() -> None:
    files = {
        "Makefile": "include more/*.mk\n-include gone.mk\na: b\n",
        "more/b.mk": "b:\n\trm -rf /srv\n",
        "sub/Makefile": "a:\n\trm -rf out\n",
        "x.mk": "a:\n\t$(MAKE) -C sub D=1\n",
    }
    assert commands_in(files, "make") == ["rm -rf /srv"]
    assert places_in(files, "make -C sub") == [("rm -rf out", "sub")]
    assert ("rm -rf out", "sub") in places_in(files, "make -f x.mk")


def test_variables_of_the_line_reach_a_make_inside_of_make() -> None:
    files = {"Makefile": "a:\n\t$(MAKE) -C sub\n", "sub/Makefile": "D = x\na:\n\trm -rf $(D)\n"}
    assert "rm -rf /srv" in commands_in(files, "make D=/srv")


def test_a_variable_names_makefiles_that_are_read_first() -> None:
    files = {"Makefile": "b:\n\tls\n", "x.mk": "a:\n\trm -rf /srv\n"}
    assert commands_in(files, "MAKEFILES=x.mk make") == ["rm -rf /srv"]


def test_a_pattern_does_not_run_for_a_target_that_has_a_recipe() -> None:
    assert commands_in({"Makefile": "a:\n\tls a\n%:\n\trm $@\n"}, "make a b") == ["ls a", "rm b"]


def test_a_file_cannot_bring_marks_for_what_is_unknown() -> None:
    text = "a:\n\tls $(X)\n\trm -rf \ue0000\ue001\n"
    *_, last = read_in({"Makefile": text}, "make").commands
    assert last.argv[-1].opaque is None


def test_a_make_that_calls_itself_ends() -> None:
    script = read_in({"Makefile": "a:\n\t$(MAKE) a\n"}, "make a")
    assert [command.name for command in script.commands] == ["make", "make"]
    assert not script.opaque


def test_a_dry_run_runs_what_has_a_plus_and_what_is_computed() -> None:
    text = "D := $(shell rm -rf /srv)\na:\n\trm -rf x\n\t+rm -rf y\n"
    assert commands_in({"Makefile": text}, "make -n") == ["rm -rf /srv", "rm -rf y"]


def test_variables_that_double_themselves_come_to_an_end_that_is_told() -> None:
    text = "A0 = x x\n" + "".join(f"A{n + 1} = $(A{n}) $(A{n})\n" for n in range(40)) + "a:\n\tls $(A40)\n"
    assert [part.unknown.kind for part in read_in({"Makefile": text}, "make").opaque] == [Kind.TOO_MANY_STEPS]


def test_a_file_that_the_line_itself_wrote_is_read_in_the_same_way() -> None:
    line = "printf 'a: ; ls\\nb: ; rm -rf /srv\\n' > Makefile && make "
    assert "rm -rf /srv" not in commands_in({}, f"{line} a")
    assert "rm -rf /srv" in commands_in({}, f"{line} b")


def test_a_recipe_runs_as_root_behind_sudo_and_not_at_all_in_a_container() -> None:
    text = {"Makefile": "a:\n\trm -rf out\n"}
    assert [each.name for each in read_in(text, "sudo make").commands[-1].wrappers] == ["sudo"]
    assert commands_in(text, "docker exec web make") == []


def test_a_recipe_that_is_fed_runs_on_another_machine_without_files_of_this_one() -> None:
    line = "ssh host 'make -f - <<E\na:\n\trm -rf /srv\ninclude /opt/x.mk\nE'"
    assert "rm -rf /srv" in commands_in({"/opt/x.mk": "a: b\nb:\n\tls b\n"}, line)
    assert "ls b" not in commands_in({"/opt/x.mk": "a: b\nb:\n\tls b\n"}, line)


def test_the_folder_of_a_recipe_is_the_one_of_its_makefile_run() -> None:
    assert places_in({"sub/Makefile": "a:\n\tls $(CURDIR)\n"}, "cd sub && make") == [
        (f"ls {PROJECT}/sub", "sub")
    ]


def test_a_command_says_in_which_line_of_which_file_it_stands() -> None:
    files = {"Makefile": "include more.mk\na: b\n\tls\n\n\trm -rf x\n", "more.mk": "\nb:\n\tmake -C sub\n",
             "sub/Makefile": "c:\n\trm y\n"}  # fmt: skip
    found = {
        command.argv[0].text + command.argv[-1].text: command.origin
        for command in read_in(files, "make a").commands
    }
    assert found["makea"] is None
    origins = {name: (origin.path, origin.line) for name, origin in found.items() if origin is not None}
    assert origins == {
        "makesub": (f"{PROJECT}/more.mk", 3),
        "rmy": (f"{PROJECT}/sub/Makefile", 2),
        "lsls": (f"{PROJECT}/Makefile", 3),
        "rmx": (f"{PROJECT}/Makefile", 5),
    }
    assert [each.path for each in found["rmy"].chain] == [f"{PROJECT}/more.mk", f"{PROJECT}/sub/Makefile"]  # type: ignore[union-attr]
