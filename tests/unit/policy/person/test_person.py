"""Chains of parents, made up: which lead to a person, and which only look like it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from fairlead.policy.person.chain import find_agent, waits_for_input, why_no_person
from fairlead.policy.person.processes import Process

ME = 1000
FAIRLEAD = "/usr/bin/python3.12 /usr/bin/fairlead off"
SSH = {"SSH_CONNECTION": "192.0.2.7 50000 192.0.2.1 22"}


def at(
    line: str,
    *,
    user: int = ME,
    program: str | None = None,
    leader: bool = False,
    started_by: int | None = None,
    variables: dict[str, str] | None = None,
    id: int = 0,
) -> Process:
    """A process from its command line; `leader`: its session begins with it. Root's programs are hidden."""
    words = tuple(line.split())
    if program is None:
        program = "" if user == 0 else words[0].lstrip("-")
    who = user if started_by is None else started_by
    return Process(
        id, 0, words, variables or {}, program, user, who, terminal=True, session=-1 if leader else 0
    )


def chain_of(*processes: Process, top: int = 1, own_group: bool = True) -> list[Process]:
    """Nearest first, below process `top`: numbered, each in the session of the next leader above it."""
    chain: list[Process] = []
    session, parent = top, top
    for place, process in enumerate(reversed(processes)):
        number = process.id or 100 + place
        session = number if process.session == -1 else session
        chain.append(process.replace(id=number, parent=parent, session=session, group=number))
        parent = number
    own = chain[-1]
    group = own.id if own_group else 7
    chain[-1] = own.replace(group=group, foreground=group)
    return chain[::-1]


def nobody(server: Process, child: Process) -> Iterable[Sequence[Process]]:
    return ()


INIT = at("/sbin/init", user=0, id=1)
SSHD = (
    at("sshd: me@pts/0", program="", user=ME),
    at("sshd: me [priv]", user=0, leader=True),
    at("/usr/sbin/sshd -D", user=0, leader=True),
    INIT,
)
DESKTOP = (at("/usr/lib/systemd/systemd --user", leader=True), INIT)
PROMPT = at("-bash", program="/usr/bin/bash", leader=True, variables=SSH)
OWN = at(FAIRLEAD, program="/usr/bin/python3.12")

PEOPLE = {
    "ssh": (OWN, PROMPT, *SSHD),
    "a newer sshd": (
        OWN,
        PROMPT,
        at("sshd-session: me@pts/0", program=""),
        at("sshd-session: me [priv]", user=0, leader=True),
        INIT,
    ),
    "a command by ssh -t": (at(FAIRLEAD, program="/usr/bin/python3", leader=True, variables=SSH), *SSHD),
    "root by ssh": (
        at(FAIRLEAD, user=0, program="/usr/bin/python3"),
        at("-bash", user=0, program="/usr/bin/bash", leader=True, variables=SSH),
        at("sshd: root@pts/0", user=0, program="/usr/sbin/sshd", leader=True),
        INIT,
    ),
    "a console": (OWN, PROMPT, at("/bin/login -p --", user=0, leader=True), INIT),
    "a desktop": (OWN, at("bash", leader=True), at("/usr/libexec/gnome-terminal-server"), *DESKTOP),
    "zsh in kitty": (
        OWN,
        at("/usr/bin/zsh -i", leader=True),
        at("/home/me/.local/kitty.app/bin/kitty"),
        *DESKTOP,
    ),
    "a terminal that is a script": (
        OWN,
        at("/bin/bash", leader=True),
        at("/usr/bin/python3 /usr/bin/terminator", program="/usr/bin/python3.12"),
        *DESKTOP,
    ),
    "uvx": (OWN, at("/home/me/.local/bin/uvx fairlead off"), PROMPT, *SSHD),
    "a shell in a shell": (OWN, at("fish"), at("bash -l"), PROMPT, *SSHD),
    "sudo": (
        at(FAIRLEAD, user=0),
        at("sudo fairlead off", user=0, leader=True),
        at("sudo fairlead off", user=0),
        PROMPT,
        *SSHD,
    ),
    "su": (
        OWN,
        at("-bash", program="/usr/bin/bash"),
        at("su - me", user=0, started_by=ME),
        at("/usr/bin/emacs", leader=True),
        INIT,
    ),
    "an editor's terminal": (
        OWN,
        at("/bin/bash --init-file /x/shellIntegration-bash.sh", leader=True),
        at("/usr/share/code/code --type=utility --utility-sub-type=node.mojom.NodeService"),
        at("/usr/share/code/code"),
        *DESKTOP,
    ),
    "an editor's terminal on a server": (
        OWN,
        at("/usr/bin/fish --init-command source", leader=True),
        at("/home/me/.vscode-server/bin/1/node /x/bootstrap-fork --type=ptyHost --logsLevel"),
        at("/home/me/.vscode-server/bin/1/node /x/server-main.js"),
        INIT,
    ),
    "another editor's terminal": (OWN, at("zsh", leader=True), at("/opt/idea/bin/idea"), *DESKTOP),
    "Windows": (OWN, at("-bash", program="/usr/bin/bash", leader=True), at("/init", user=0), INIT),
    "macOS": (
        OWN,
        at("-zsh", program="/bin/zsh"),
        at("login -pf me", user=0, program="login", leader=True),
        at("/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal"),
        at("/sbin/launchd", user=0, id=1),
    ),
}


@pytest.mark.parametrize("name", PEOPLE)
def test_a_login_of_a_person_is_known(name: str) -> None:
    assert why_no_person(chain_of(*PEOPLE[name], top=0), nobody) == ""


def test_a_container_that_was_entered_from_outside_is_a_login() -> None:
    for shell in (at("bash", leader=True, user=0, program="/usr/bin/bash"), at("/bin/sh", leader=True, id=1)):
        assert why_no_person(chain_of(OWN, shell, top=0), nobody) == ""
    command = at(FAIRLEAD, leader=True)
    assert why_no_person(chain_of(command, top=0), nobody) == ""
    tini = at("/sbin/docker-init -- bash", id=1, leader=True, program="/sbin/docker-init")
    assert why_no_person(chain_of(OWN, at("bash"), tini, top=0), nobody) == ""


ATTACKS = {
    "setsid -f": (at(FAIRLEAD, leader=True), INIT),
    "setsid -f script -qec": (OWN, at("sh -c ./f", leader=True), at("script -qec ./f"), INIT),
    "script with a shell": (OWN, at("bash -i", leader=True), at("/usr/bin/script -q /dev/null"), INIT),
    "script below an unknown agent": (
        OWN,
        at("bash -i", leader=True),
        at("script -q /dev/null"),
        at("/opt/newagent"),
        PROMPT,
        *SSHD,
    ),
    "an unknown agent": (OWN, at("sh -c x"), at("/opt/newagent"), PROMPT, *SSHD),
    "an unknown agent without a shell": (OWN, at("/usr/bin/python3 agent.py"), PROMPT, *SSHD),
    "an agent that is a shell script": (OWN, at("bash agent.sh"), PROMPT, *SSHD),
    "expect": (at(FAIRLEAD, leader=True), at("/usr/bin/expect -f x"), INIT),
    "pty.spawn": (OWN, at("sh", leader=True), at("/usr/bin/python3 -c import"), INIT),
    "a terminal without its maker": (OWN, at("bash -i", leader=True), INIT),
    "socat": (at(FAIRLEAD, leader=True), at("/usr/bin/socat - EXEC:x,pty,setsid"), INIT),
    "systemd-run --user --pty": (at(FAIRLEAD, leader=True), *DESKTOP),
    "cron": (OWN, at("/bin/sh -c x", leader=True), at("/usr/sbin/cron", user=0), INIT),
    "a terminal program that runs the command": (
        at(FAIRLEAD, leader=True),
        at("/usr/bin/xterm -e fairlead off"),
        INIT,
    ),
    "a shell that calls itself sshd": (
        OWN,
        at("bash", leader=True, variables=SSH),
        at("sshd: me@pts/0", program="/usr/bin/bash"),
        at("sshd: me [priv]", program="/usr/bin/bash"),
        INIT,
    ),
    "hidden programs that call themselves sshd": (
        OWN,
        PROMPT,
        at("sshd: me@pts/0", program=""),
        at("sshd: me [priv]", program=""),
        INIT,
    ),
    "a copy that is named like a terminal": (OWN, at("bash", leader=True), at("/tmp/x/xterm"), INIT),
    "a program of the user that is named sudo": (
        OWN,
        at("/home/me/sudo x", leader=True),
        PROMPT,
        *SSHD,
    ),
    "the same in the session of a person": (OWN, at("/home/me/sudo x"), PROMPT, *SSHD),
    "a program that calls itself the host of terminals": (
        OWN,
        at("bash", leader=True),
        at("/usr/bin/python3 x.py --type=ptyHost"),
        INIT,
    ),
    "a program that calls itself the init of Windows": (
        OWN,
        at("bash", leader=True),
        at("/init", program="/usr/bin/python3"),
        INIT,
    ),
    "what came into a container without a session": (OWN, at("bash")),
    "su with a command": (OWN, at("bash -c x"), at("su me -c x", user=0, started_by=ME), INIT),
    "su of root": (OWN, at("-bash", program="/bin/bash"), at("su - me", user=0), INIT),
    "a new session below a person's shell": (at(FAIRLEAD, leader=True), PROMPT, *SSHD),
    "a session of its own in a container": (
        OWN,
        at("bash", leader=True),
        at("bash", leader=True, id=1),
    ),
    "the init of a container": (OWN, at("/usr/bin/sleep 1", leader=True, id=1)),
    "ssh to this machine": (
        OWN,
        PROMPT.replace(variables={"SSH_CONNECTION": "127.0.0.1 5 127.0.0.1 22"}),
        *SSHD,
    ),
    "ssh to this machine by its own address": (
        OWN,
        PROMPT.replace(variables={"SSH_CONNECTION": "192.0.2.1 5 192.0.2.1 22"}),
        *SSHD,
    ),
    "ssh without its traces": (at(FAIRLEAD, leader=True), *SSHD),
    "an editor's process that keeps no terminals": (
        OWN,
        at("bash", leader=True),
        at("/usr/share/code/code --type=renderer"),
        *DESKTOP,
    ),
    "tmux": (OWN, at("bash", leader=True), at("/usr/bin/tmux new -d", leader=True), INIT),
    "screen": (OWN, at("bash", leader=True), at("/usr/bin/screen -dm", leader=True), INIT),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_what_only_looks_like_a_person_is_none(name: str) -> None:
    assert why_no_person(chain_of(*ATTACKS[name], top=0), nobody) != ""


def test_what_was_left_to_init_says_so() -> None:
    assert "ends at init" in why_no_person(chain_of(*ATTACKS["setsid -f"], top=0), nobody)
    assert "ends at init" in why_no_person(chain_of(*ATTACKS["systemd-run --user --pty"], top=0), nobody)


def test_the_background_is_no_place_for_a_person() -> None:
    chain = chain_of(*PEOPLE["ssh"], top=0)
    behind = [chain[0].replace(foreground=chain[1].id), *chain[1:]]
    assert "foreground" in why_no_person(behind, nobody)
    assert "foreground" in why_no_person([chain[0].replace(foreground=0, group=0), *chain[1:]], nobody)


def test_a_group_that_somebody_else_began_is_that_of_an_agent_whose_shell_has_ended() -> None:
    chain = chain_of(OWN, at("bash", leader=True, id=1), top=0, own_group=False)
    assert "process group 7" in why_no_person(chain, nobody)


def test_parents_that_cannot_be_seen_are_no_login() -> None:
    assert "cannot be seen" in why_no_person(chain_of(OWN, PROMPT, top=0)[:1], nobody)
    assert "cannot be seen" in why_no_person([], nobody)


def test_a_kept_terminal_is_as_good_as_the_best_of_those_that_show_it() -> None:
    kept = chain_of(
        OWN, at("-zsh", program="/bin/zsh", leader=True), at("/usr/bin/tmux", leader=True), INIT, top=0
    )
    client = at("/usr/bin/tmux attach")
    person = chain_of(client, PROMPT, *SSHD, top=0)
    fake = chain_of(client, at("sh -c tmux", leader=True), at("script -qec tmux"), INIT, top=0)
    assert why_no_person(kept, lambda server, child: [fake, person]) == ""
    assert "tmux" in why_no_person(kept, lambda server, child: [fake])
    assert "tmux" in why_no_person(kept, lambda server, child: [])
    assert "tmux" in why_no_person(kept, lambda server, child: [kept]), "it cannot vouch for itself"


def test_a_command_that_a_kept_terminal_was_given_is_nobodys_whoever_looks() -> None:
    person = chain_of(at("tmux attach"), PROMPT, *SSHD, top=0)
    server = at("/usr/bin/tmux new -d x", leader=True)
    for given in ((at(FAIRLEAD, leader=True),), (OWN, at("sh -c x", leader=True))):
        chain = chain_of(*given, server, INIT, top=0)
        assert why_no_person(chain, lambda server, child: [person]) != ""


@pytest.mark.parametrize(
    ("line", "waits"),
    [
        ("bash", True),
        ("-bash", True),
        ("bash -il", True),
        ("bash --rcfile /x -i", True),
        ("zsh -o vi", True),
        ("fish -C cd", True),
        ("pwsh -noexit -command x", True),
        ("busybox sh", True),
        ("bash -c x", False),
        ("sh -c zsh", True),
        ("sh -c fairlead", False),
        ("bash -lc x", False),
        ("bash -ic x", False),
        ("sh script.sh", False),
        ("bash -- script.sh", False),
        ("nu --command x", False),
        ("python3", False),
    ],
)
def test_a_shell_waits_for_input_unless_it_was_given_a_command_or_a_script(line: str, waits: bool) -> None:
    assert waits_for_input(at(line, program=line.split()[0].lstrip("-"))) is waits


def test_a_shell_that_only_starts_another_waits_as_that_one_does() -> None:
    for text, waits in {"/bin/zsh -l": True, "exec bash": True, "bash -c x": False, "zsh;x": False}.items():
        assert waits_for_input(Process(5, 4, ("sh", "-c", text))) is waits


def test_a_server_that_an_agent_started_still_has_the_mark_of_the_agent() -> None:
    server = at("/usr/bin/tmux", variables={"CLAUDECODE": "1"})
    assert "CLAUDECODE" in find_agent(chain_of(OWN, at("bash", leader=True), server, INIT, top=0))
