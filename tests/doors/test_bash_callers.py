"""Whatever the script around the hooks has set, closed, named or forbidden, its hooks are run, captured and
read as in any other; where that cannot be, it is said and counts as a failure."""

import pytest

OBEYING = """
    hooks:declare h
    hooks:middleware h hooks:middleware:contract
"""


def test_letters_are_what_they_are_though_the_script_compares_without_regard_to_them(shell):
    shell.script(
        "h-1.sh", "printf '%s\\n' CONTRACT:A=1 contract:MODE=dry contract:path=/x 'contract:{\"A\":TRUE}'"
    )
    done = shell.run(f"""
        shopt -s nocasematch
        {OBEYING}
        hooks:do h
        echo "${{A-unset}} $MODE $path ${{CI_MODE-unset}}"
        [[ a == A ]] && echo "as it was"
    """)
    assert (done.returncode, done.stdout) == (0, "CONTRACT:A=1\nunset dry /x unset\nas it was\n")
    assert "line 4 of its output" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "call", ["hooks:middleware NAME", "hooks:do NAME", "hooks:known NAME", "hooks:register NAME NAME g"]
)
def test_the_name_of_a_hook_is_not_evaluated(shell, call):
    done = shell.run(f"""
        cd {shell.folder}
        g() {{ :; }}
        {call.replace("NAME", "'x$(touch pwned)'")} || :
        [[ ! -e pwned ]] && echo safe
    """)
    assert (done.returncode, done.stdout) == (0, "safe\n")


def test_words_may_be_separated_by_what_nobody_may_change(shell):
    shell.script("h-1.sh", "echo file; echo contract:A=1")
    done = shell.run(f"""
        readonly IFS=$'\\n\\t'
        {OBEYING}
        hooks:declare end
        hook:end() {{ echo "end $1"; }}
        hooks:do h
        echo "A=$A"
        hook:h() {{ echo said; exit 3; }}
        hooks:do h
    """)
    assert (done.returncode, done.stdout, done.stderr) == (3, "file\nA=1\nsaid\nend 3\n", "")


def test_posix_mode_that_comes_later_runs_no_hook_and_says_so(shell):
    shell.script("h-1.sh", "echo ran")
    done = shell.run(f"{OBEYING}\nexport POSIXLY_CORRECT=1\nhooks:do h || echo $?")
    assert (done.returncode, done.stdout) == (0, "2\n")
    assert "posix mode was turned on" in done.stderr


def test_arguments_that_are_taken_for_assignments_are_refused_at_once(shell):
    done = shell.run("", strict=False)
    assert done.returncode == 0
    main = shell.main("echo went on")
    main.write_text("set -ek\n" + main.read_text())
    done = shell.run_file(main)
    assert (done.returncode, done.stdout) == (1, "")
    assert "set +k" in done.stderr


def test_descriptors_that_the_script_closes_are_made_again_and_what_it_opens_there_is_its_own(shell):
    shell.script("h-1.sh", "echo file; echo contract:A=$1")
    done = shell.run(f"""
        {OBEYING}
        hooks:do h 1
        for number in {{3..60}}; do eval "exec $number>&-"; done
        cd {shell.folder}
        for name in {{a..z}}; do exec {{descriptor}}>own-$name; done
        hooks:do h 2
        echo "A=$A" && cat own-*
    """)
    assert (done.returncode, done.stdout) == (0, "file\nfile\nA=2\n")
    assert "the script has closed what leads to the recorder" in done.stderr


def test_a_hook_that_cannot_be_read_is_no_success(shell):
    shell.script("h-1.sh", "echo shown; echo contract:mode=skip")
    done = shell.run(f"{OBEYING}\nulimit -n 14\nhooks:do h || echo $?\nhooks:flow:apply")
    assert done.stdout == "shown\ncontract:mode=skip\n1\n"
    assert "what it asks for is not read" in done.stderr


def test_a_locale_that_is_not_there_is_no_matter_for_complaint(shell):
    shell.script("h-1.sh", "echo contract:A=1")
    done = shell.run(f"{OBEYING}\nhooks:do h\necho $A", LC_ALL="xx_XX.UTF-8")
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert "hooks.bash" not in done.stderr


def test_aliases_of_the_script_are_its_own(shell):
    shell.script("h-1.sh", "echo contract:A=1")
    main = shell.main(f"{OBEYING}\nhooks:do h\necho $A\nshopt -q expand_aliases && echo still")
    words = "local printf declare return read exec mapfile"
    aliases = "\n".join(f"alias {word}=false" for word in words.split())
    main.write_text(f"shopt -s expand_aliases\n{aliases}\n{main.read_text()}")
    done = shell.run_file(main)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\nstill\n", "")


@pytest.mark.parametrize(
    "declared", ["-i MINE=1", "-i MINE", "-n MINE=X", "-a MINE=(1)", "-A MINE", "-r MINE"]
)
def test_a_bash_that_tells_less_of_a_variable_sets_no_more_of_them(shell, declared):
    shell.script("h-1.sh", f"echo 'contract:MINE=a[$(touch {shell.folder}/pwned)]'; echo contract:AFTER=1")
    done = shell.run(f"""
        {OBEYING}
        __HOOKS_OLD_BASH=1
        declare {declared}
        hooks:do h
        echo "$AFTER"
    """)
    assert (done.returncode, done.stdout) == (0, "1\n")
    assert "MINE" in done.stderr and not (shell.folder / "pwned").exists()
