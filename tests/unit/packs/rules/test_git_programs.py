"""Git runs what settings, options and variables name: what the text does not show is asked about."""

import os
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.shell.following.git.git_config_text import settings_in
from fairlead.shell.following.git.git_settings import VARIABLES, runs
from tests.unit.packs.guard_kit import decide, judge, shell_event

UNSEEN = (
    "git config --global core.sshCommand 'ssh -i /tmp/k'",
    "git clone --conf core.fsmonitor=./x.sh https://github.com/a/b",
    "git -c core.editor='timeout 5s ./x.sh' commit",
    "git config core.pager 'less +!sh'",
    "git config core.pager 'cat; ./x.sh'",
    "git config core.editor /tmp/vim",
    'cp evil.sh "$(git rev-parse --git-path hooks)/pre-commit"',
    "git clone -c core.fsmonitor=./x.sh https://github.com/a/b",
    "git clone --config core.fsmonitor=./x.sh https://github.com/a/b",
    "git clone --config=core.sshCommand=./x.sh https://github.com/a/b",
    "git clone --template=./tmpl https://github.com/a/b",
    "git clone --template ./tmpl https://github.com/a/b",
    "git init --template=./tmpl",
    "git init --template tmpl new",
    "git clone 'ext::sh -c \"touch /tmp/x\"' y",
    'git clone "ext::./x.sh" y',
    "git fetch 'ext::./x.sh'",
    "git pull ext::./x.sh main",
    "git push ext::./x.sh main",
    "git ls-remote ext::./x.sh",
    "git remote add o ext::./x.sh",
    "git remote set-url o ext::./x.sh",
    "git submodule add ext::./x.sh sub",
    "git config remote.o.url ext::./x.sh",
    "git archive --remote=ext::./x.sh HEAD",
    "git -c protocol.ext.allow=always clone ext::./x.sh",
    "git -c protocol.allow=always fetch origin",
    "git -c protocol.ext.allow=always submodule update --init",
    "git config protocol.ext.allow always",
    "GIT_ALLOW_PROTOCOL=ext:https git fetch origin",
    "git --config-env=core.fsmonitor=X status",
    "git --config-env core.fsmonitor=X status",
    "X=./x.sh git --config-env=core.fsmonitor=X status",
    "git -c include.path=./evil.cfg status",
    "git -c include.path=/tmp/evil.cfg status",
    "git -c includeIf.gitdir:/.path=./evil.cfg status",
    "git config include.path ../evil.cfg",
    "git config --global include.path /tmp/evil.cfg",
    "git config core.fsmonitor ./x.sh",
    'git config core.fsmonitor "$X"',
    "git config --add core.fsmonitor ./x.sh",
    "git config set core.fsmonitor ./x.sh",
    "git config --local core.sshCommand ./x.sh",
    "git config --file .git/config core.pager ./x.sh",
    "git config submodule.sub.update '!touch /tmp/x'",
    "git config submodule.sub.update '!./x.sh'",
    "git config -f .gitmodules submodule.sub.update '!./x.sh'",
    "printf '[submodule \"s\"]\\n\\tupdate = !./x.sh\\n' > .gitmodules; git submodule update --init",
    "printf '[submodule \"s\"]\\n\\tupdate = !rm -rf ~\\n' > .gitmodules && git submodule update --init",
    "git -c submodule.sub.update='!rm -rf ~' submodule update",
    "git -c alias.a=b -c 'alias.b=!rm -rf ~' a",
    "git -c alias.a=b -c alias.b=c -c 'alias.c=!rm -rf ~' a",
    "git -c alias.x='-c core.pager=./x.sh -p log' x",
    "git -c alias.x='-c alias.y=!rm\\ -rf\\ ~ y' x",
    "git clone --upload-pack=./x.sh file:///tmp/r",
    "git clone -u ./x.sh file:///tmp/r",
    "git clone -u./x.sh file:///tmp/r",
    "git fetch --upload-pack ./x.sh",
    "git fetch --upload-pack='rm -rf ~;' .",
    "git ls-remote --exec=./x.sh .",
    "git ls-remote --upload-p=./x.sh .",
    "git push --receive-pack=./x.sh origin",
    "git push --exec=./x.sh origin",
    "git archive --remote=. --exec=./x.sh HEAD",
    "git -c core.sshCommand=./x.sh fetch",
    "git -c core.sshCommand='sh ./x' fetch",
    "git -c core.gitProxy=./x.sh fetch",
    "GIT_SSH_COMMAND=./x.sh git fetch",
    "GIT_SSH=./x.sh git fetch",
    "GIT_SSH_COMMAND='rm -rf ~;' git fetch",
    "export GIT_SSH_COMMAND=./x.sh; git fetch",
    "env GIT_SSH_COMMAND=./x.sh git fetch",
    "GIT_EXTERNAL_DIFF=./x.sh git diff",
    "GIT_PROXY_COMMAND=./x.sh git fetch",
    "GIT_TEMPLATE_DIR=./tmpl git clone https://github.com/a/b",
    "GIT_TEMPLATE_DIR=./tmpl git init x",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./x.sh git status",
    "GIT_CONFIG_PARAMETERS=\"'core.fsmonitor'='./x.sh'\" git status",
    "GIT_CONFIG_GLOBAL=./evil.cfg git status",
    "GIT_CONFIG_SYSTEM=./evil.cfg git status",
    "GIT_EDITOR=./x.sh git commit",
    "GIT_SEQUENCE_EDITOR=./x.sh git rebase -i HEAD~2",
    "GIT_PAGER=./x.sh git log",
    "GIT_ASKPASS=./x.sh git fetch",
    "GIT_EXEC_PATH=./bin git status",
    "git --exec-path=./bin status",
    "git -c core.editor=./x.sh commit",
    "git -c sequence.editor=./x.sh rebase -i",
    "git -c diff.external=./x.sh diff",
    "git -c diff.foo.command=./x.sh diff",
    "git -c diff.foo.textconv=./x.sh diff",
    "git -c filter.x.clean=./x.sh add .",
    "git -c filter.x.smudge=./x.sh checkout main",
    "git -c merge.foo.driver='./x.sh %A' merge x",
    "git bisect run sh -c 'rm -rf ~'",
    "git rebase --exec 'rm -rf ~' main",
    "git filter-branch --tree-filter 'rm -rf ~' HEAD",
    "git -c core.hooksPath=./hooks commit -m x",
    "git -c core.hooksPath=/tmp/hooks commit -m x",
    "git config --global core.hooksPath /tmp/hooks",
    "git config init.templateDir ./tmpl",
    "git config --global init.templateDir /tmp/tmpl",
    "git -c init.templateDir=./tmpl init x",
    "git -c core.pager=./x.sh log",
    "git -c pager.log=./x.sh log",
    "git -c gpg.program=./x.sh commit -S -m x",
    "git -c gpg.ssh.program=./x.sh commit -S",
    "git -c credential.helper='!./x.sh' fetch",
    "git -c credential.helper=/tmp/x.sh fetch",
    "git -c interactive.diffFilter=./x.sh add -p",
    "git -c difftool.x.cmd=./x.sh difftool",
    "git -c uploadpack.packObjectsHook=./x.sh fetch",
    "git -c core.askPass=./x.sh fetch",
    "git -c remote.origin.uploadpack=./x.sh fetch",
    "git -c remote.origin.url=ext::./x.sh fetch",
    "git -c url.ext::.insteadOf=https:// fetch",
    "git -c remote.origin.vcs=ext fetch",
    "git -c core.alternateRefsCommand=./x.sh fetch",
    "git -c man.viewer=x -c man.x.cmd=./x.sh help log",
    "git -c web.browser=x -c browser.x.cmd=./x.sh help -w log",
    "git -c trailer.x.command=./x.sh commit",
    "git -c core.notesRef=x -c notes.x=y -c gc.recentObjectsHook=./x.sh gc",
    "git -c diff.tool=x -c difftool.x.path=./x.sh difftool",
    "git -c merge.tool=x -c mergetool.x.cmd=./x.sh mergetool",
    "git -c mergetool.vimdiff.path=./x.sh mergetool",
    "git -c lfs.customtransfer.x.path=./x.sh lfs fetch",
    "git -c hook.x.command=./x.sh -c hook.x.event=pre-commit commit",
    "git grep -O./x.sh foo",
    "git grep --open-files-in-pager=./x.sh foo",
    "git send-email --sendmail-cmd=./x.sh x",
    "git daemon --access-hook=./x.sh",
    "git instaweb --httpd=./x.sh",
    "git clone --recurse-submodules -c submodule.x.update='!./x.sh' https://a/b",
    "git -C sub -c core.fsmonitor=./x.sh status",
    "echo '[core]\nfsmonitor = ./x.sh' > evil.cfg; git -c include.path=evil.cfg status",
    "echo '[core]\nfsmonitor = rm -rf ~' > ~/.gitconfig",
    "echo '[alias] x = \"!rm -rf ~\"' > c.cfg; GIT_CONFIG_GLOBAL=c.cfg git x",
    "hub -c core.fsmonitor=./x.sh status",
    "git -c core.sshCommand='ssh -o ProxyCommand=./x.sh' fetch",
    "git config core.sshCommand 'ssh -F ./cfg'",
    "git config core.editor \"vim -c '!sh x'\"",
    "GIT_PAGER='python x.py' git log",
    "git -c core.editor='env A=b ./x.sh' commit",
    "git -c core.pager='cat | sh ./x' log",
    'git -c "core.pager=$(cat x)" log',
    "git -c core.editor='bash -c ./x.sh' commit",
    "export GIT_EDITOR=./x.sh && git commit",
)
USUAL = (
    "git config --global core.editor /usr/bin/vim",
    "git config --global core.pager 'less -F -X'",
    "git config diff.pdf.textconv pdftotext",
    "git config --global credential.https://github.com.helper '!gh auth git-credential'",
    "GIT_SEQUENCE_EDITOR=\"sed -i '2,\\$s/^pick/fixup/'\" git rebase -i HEAD~3",
    "git rebase --exec 'make test' main",
    "git rebase -x 'npm test' main",
    'git rebase -i --exec "pytest -q" HEAD~3',
    "git bisect run pytest",
    "git bisect run make test",
    "git bisect run ./run-tests.sh",
    "git bisect run npm test",
    "git -c core.pager=cat log",
    "git -c core.pager= log",
    "git -c core.editor=true commit --amend",
    "git -c core.editor=: rebase -i HEAD~2",
    "GIT_EDITOR=true git rebase --continue",
    "GIT_EDITOR=: git merge --continue",
    "GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash main",
    "GIT_SEQUENCE_EDITOR=true git rebase -i --autosquash main",
    "GIT_SEQUENCE_EDITOR=\"sed -i -e '1s/pick/reword/'\" git rebase -i HEAD~2",
    "GIT_PAGER=cat git log",
    "GIT_PAGER= git diff",
    "PAGER=cat git log",
    "git clone --template= https://github.com/a/b",
    "git clone --template='' https://github.com/a/b",
    "git clone https://github.com/a/b.git",
    "git clone --depth 1 -c advice.detachedHead=false https://github.com/a/b",
    "git clone -c core.autocrlf=input https://github.com/a/b",
    "git clone --config core.longpaths=true https://github.com/a/b",
    'git clone -c http.extraHeader="X: y" https://github.com/a/b',
    "git -c user.name=x -c user.email=y commit -m z",
    "git -c color.ui=always diff",
    "git -c protocol.file.allow=always submodule update --init",
    "git -c protocol.version=2 fetch",
    "git -c core.fsmonitor=false status",
    "git -c core.fsmonitor=true status",
    "git -c core.fsmonitor= status",
    "git config core.fsmonitor true",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git config core.pager less",
    "git config --global core.editor vim",
    'git config --global core.editor "code --wait"',
    "git config core.editor nano",
    "git config --global credential.helper store",
    "git config --global credential.helper osxkeychain",
    "git config --global credential.helper 'cache --timeout=3600'",
    "git config --global diff.tool vimdiff",
    "git config alias.st status",
    'git config --global alias.lg "log --oneline --graph"',
    "git config --global pull.rebase true",
    "git config --get core.pager",
    "git config --get-all credential.helper",
    "git config core.pager",
    "git config --unset core.pager",
    "git config --global --unset core.hooksPath",
    "git config --list",
    "git submodule update --init --recursive",
    "git submodule foreach git pull",
    "git submodule foreach 'git checkout main || true'",
    "git difftool -x diff HEAD~1",
    'GIT_SSH_COMMAND="ssh -i ~/.ssh/deploy_key" git fetch',
    "GIT_SSH_COMMAND='ssh -o StrictHostKeyChecking=no' git clone git@github.com:a/b.git",
    'GIT_SSH_COMMAND="ssh -v" git push',
    'git -c core.sshCommand="ssh -i ~/.ssh/id_work -o IdentitiesOnly=yes" fetch',
    'git config core.sshCommand "ssh -i ~/.ssh/id_work"',
    "GIT_TERMINAL_PROMPT=0 git fetch",
    "GIT_ASKPASS=true git fetch",
    "GIT_ASKPASS=echo git clone https://github.com/a/b",
    "GIT_CONFIG_GLOBAL=/dev/null git status",
    "GIT_CONFIG_NOSYSTEM=1 git status",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' git status",
    "GIT_TRACE=1 git fetch",
    "GIT_LFS_SKIP_SMUDGE=1 git clone https://github.com/a/b",
    "git -c filter.lfs.smudge= -c filter.lfs.required=false clone https://github.com/a/b",
    "git -c filter.lfs.smudge='git-lfs smudge --skip -- %f' pull",
    "git lfs install",
    "git diff --no-ext-diff",
    "git log --ext-diff --oneline",
    "git -C sub status",
    "git --git-dir=.git log",
    "git --git-dir=../other/.git log",
    "GIT_DIR=.git git log",
    "git init",
    "git init --bare /tmp/r.git",
    "git init -b main",
    "git init --template=/usr/share/git-core/templates x",
    "git remote add origin git@github.com:a/b.git",
    "git remote add up https://github.com/a/b",
    "git fetch --upload-pack=git-upload-pack origin",
    "git -c diff.external=difft diff",
    "GIT_EXTERNAL_DIFF=difft git diff",
    "git -c core.pager=delta diff",
    "git config --global core.pager delta",
    "git config --global interactive.diffFilter 'delta --color-only'",
    "git -c pager.diff=false diff",
    "git -c sequence.editor=: rebase -i main",
    "git -c rebase.instructionFormat='%s' rebase -i",
    "git grep -O foo",
    "git -c alias.x=status x",
    "git -c include.path=/dev/null status",
    "git commit -m 'ext::sh is bad'",
    "git log --grep=ext::",
    "git config --global gpg.program gpg2",
    "git -c commit.gpgsign=false commit -m x",
    "git -c gpg.program=gpg commit -S -m x",
    "git -c merge.tool=vimdiff mergetool",
    "git -c diff.algorithm=histogram diff",
    "git config merge.ours.driver true",
    "git config --global include.path ~/.gitconfig.local",
    "git bisect run ./x.sh",
    "git rebase -x ./x.sh main",
    "git submodule foreach ./x.sh",
    "git difftool -x ./x.sh",
    'GIT_SSH_COMMAND="ssh -i $KEY -p 22" git fetch',
    'GIT_SSH_COMMAND="ssh -J jump" git fetch',
    "git clone -b main -o up https://github.com/a/b dir",
    "git -c credential.helper='!gh auth git-credential' fetch",
    "GIT_EDITOR=\"sh -c 'exit 0'\" git commit --amend",
)


@pytest.mark.parametrize("line", UNSEEN)
def test_a_program_that_nobody_sees_does_not_run_unasked(line: str) -> None:
    assert decide(line) in (Decision.ASK, Decision.BLOCK)


@pytest.mark.parametrize("line", USUAL)
def test_a_program_that_the_text_shows_or_that_people_use_daily_is_met_with_silence(line: str) -> None:
    assert decide(line) is Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "git -c alias.a=b -c 'alias.b=!rm -rf ~' a",
        "git -c alias.a='-c alias.b=c b' -c 'alias.c=!rm -rf ~' a",
        "git fetch --upload-pac='rm -rf ~;' .",
        "X='rm -rf ~' git --config-env=core.pager=X log",
        "printf '[submodule \"s\"]\\n\\tupdate = !rm -rf ~\\n' > .gitmodules && git submodule update",
        "git clone 'ext::rm -rf ~' y",
        "GIT_SSH='rm -rf ~' git fetch",
    ],
)
def test_what_the_text_shows_is_judged_by_what_it_does(line: str) -> None:
    outcome = judge(shell_event(line))
    assert (outcome.decision, outcome.rule) == (
        Decision.BLOCK,
        "filesystem/recursive-delete-outside-project",
    )


def test_an_alias_of_itself_ends() -> None:
    assert decide("git -c alias.a=b -c alias.b=a a") is Decision.CONTINUE


@pytest.mark.parametrize(
    "line", ["git submodule update --init", "git submodule init", "git -C . submodule update"]
)
def test_a_command_in_the_list_of_modules_on_the_disk_is_seen(line: str, tmp_path: Path) -> None:
    (tmp_path / ".gitmodules").write_text('[submodule "s"]\n\tpath = s\n\turl = ./s\n')
    assert judge(shell_event(line, root=str(tmp_path))).decision is Decision.CONTINUE
    (tmp_path / ".gitmodules").write_text('[submodule "s"]\n\tpath = s\n\tupdate = !touch x\n')
    outcome = judge(shell_event(line, root=str(tmp_path)))
    assert (outcome.decision, outcome.rule) == (Decision.ASK, "git/executing-option")


def test_a_list_of_modules_that_is_no_file_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".gitmodules")
    assert judge(shell_event("git submodule update", root=str(tmp_path))).decision is Decision.CONTINUE


def test_every_variable_stands_for_a_setting_that_runs_something() -> None:
    assert {name for name, key in VARIABLES.items() if runs(key) is None} == set()


def test_the_text_of_a_configuration_is_read_as_git_reads_it() -> None:
    text = """
    [core] bare = false ; a comment
        pager = "less # no comment" # one
        editor = a \\
b
    [Filter "A\\"b"]
        Clean = x\\ty
        required
    [old.Style]
        key=value
    # [section]
    """.replace("\\\\", "\\")
    assert dict(settings_in(text)) == {
        "core.bare": "false",
        "core.pager": "less # no comment",
        "core.editor": "a b",
        'filter.A"b.clean': "x\ty",
        'filter.A"b.required': "true",
        "old.style.key": "value",
    }
