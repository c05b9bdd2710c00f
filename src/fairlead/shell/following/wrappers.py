"""Programs that run another command: which of their options take a value, and where the command starts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fairlead.model.value import Value
from fairlead.shell.word_sets import names

_NONE: frozenset[str] = frozenset()


class Wrap(Value):
    """How a wrapper's words are read.

    `takes`: short letters whose option has a value; `long`: long options whose value is a word of its own;
    `skip`: operands before the command; `assigns`: `NAME=value` may stand there; `texts`: options whose
    value is shell text; `joined`: the operands are joined and run by a shell; `leaf`: options with which
    nothing is run; `chdir`: options that set the directory; `place`: where the inner command runs, as
    `kind:` that the last skipped operand completes; `keep`: a command of its own right, too; `inner`: the
    shell runs it, not a program; `dashes`: the command starts after a `--`, where there is one; `rest`:
    options after which the rest is the command; `shells`: options that start a shell when no command
    is given, `*` for always; `named`: the subcommand is itself the command's name; `entry`: options whose
    value is the program, of which the rest are the arguments; `packaged`: the first operand names a package
    and with it the program, as in `nixpkgs#tool` and `npm:tool@5`.
    """

    takes: str = ""
    long: frozenset[str] = _NONE
    skip: int = 0
    assigns: bool = False
    texts: frozenset[str] = _NONE
    joined: bool = False
    leaf: frozenset[str] = _NONE
    chdir: frozenset[str] = _NONE
    place: str = ""
    keep: bool = False
    inner: bool = False
    dashes: bool = False
    rest: frozenset[str] = _NONE
    shells: frozenset[str] = _NONE
    named: bool = False
    entry: frozenset[str] = _NONE
    packaged: bool = False


_PLAIN = Wrap()
_SKIP_ONE = Wrap(skip=1)
_RUN_TEXT = Wrap(texts=names("-c --command"))

WRAPPERS: Mapping[str, Wrap] = MappingProxyType(
    {
        "sudo": Wrap(
            takes="aCcDghpRrTtUu",
            long=names("--auth-type --close-from --login-class --chdir --group --host --prompt --chroot "
                      "--role "
                      "--command-timeout --type --other-user --user"),
            assigns=True,
            leaf=names("-l -ll -v -k -K -V -e --list --validate --remove-timestamp --version --edit"),
            chdir=names("-D --chdir"),
            shells=names("-s -i --shell --login"),
        ),
        "doas": Wrap(takes="aCu", leaf=names("-L"), shells=names("-s")),
        "pkexec": Wrap(long=names("--user")),
        "gosu": _SKIP_ONE, "su-exec": _SKIP_ONE, "setuidgid": _SKIP_ONE, "envdir": _SKIP_ONE,
        "su": Wrap(takes="gGsTw", long=names("--group --supp-group --shell --whitelist-environment"),
                   texts=names("-c --command --session-command"), skip=99, shells=names("*")),
        "runuser": Wrap(takes="ugGsw", long=names("--user --group --supp-group --shell"),
                        texts=names("-c --command --session-command")),
        "sg": Wrap(texts=names("-c"), skip=1, joined=True),
        "setpriv": Wrap(long=names("--ruid --euid --reuid --rgid --egid --regid --groups --inh-caps "
                                  "--securebits "
                                  "--ambient-caps --bounding-set --pdeathsig --selinux-label")),
        "env": Wrap(takes="uCP", long=names("--unset --chdir"), assigns=True, chdir=names("-C --chdir")),
        "command": Wrap(leaf=names("-v -V"), inner=True),
        "builtin": Wrap(inner=True),
        "exec": Wrap(takes="a", inner=True),
        "nocorrect": Wrap(inner=True), "noglob": Wrap(inner=True),
        "time": Wrap(takes="fo", long=names("--format --output"), inner=True),
        "gtime": Wrap(takes="fo"),
        "nohup": _PLAIN, "setsid": _PLAIN, "unbuffer": _PLAIN, "eatmydata": _PLAIN, "catchsegv": _PLAIN,
        "chronic": _PLAIN, "ifne": _PLAIN, "torsocks": _PLAIN, "torify": _PLAIN, "tsocks": _PLAIN,
        "dbus-run-session": _PLAIN, "linux32": _PLAIN, "linux64": _PLAIN, "firejail": _PLAIN, "tini": _PLAIN,
        "dumb-init": _PLAIN, "catatonit": _PLAIN, "optirun": _PLAIN, "primusrun": _PLAIN, "busybox": _PLAIN,
        "toybox": _PLAIN, "nixGL": _PLAIN, "winpty": _PLAIN, "rtk": _PLAIN, "systemd-inhibit": _PLAIN,
        "nice": Wrap(takes="n", long=names("--adjustment")),
        "ionice": Wrap(takes="cnpPu", long=names("--class --classdata --pid --pgid --uid"),
                       leaf=names("-p -P -u --pid")),
        "timeout": Wrap(takes="ks", long=names("--kill-after --signal"), skip=1),
        "gtimeout": Wrap(takes="ks", long=names("--kill-after --signal"), skip=1),
        "stdbuf": Wrap(takes="ioe", long=names("--input --output --error")),
        "chrt": Wrap(takes="TPD", skip=1, leaf=names("-p --pid -m --max")),
        "taskset": Wrap(skip=1, leaf=names("-p --pid")),
        "numactl": Wrap(takes="NmCcipPlw", leaf=names("-s -H --show --hardware")),
        "cpulimit": Wrap(takes="lpe"),
        "prlimit": Wrap(takes="po", leaf=names("-p --pid")),
        "cgexec": Wrap(takes="g"),
        "chpst": Wrap(takes="uUbenmdofptcr/"),
        "softlimit": Wrap(takes="adflmorstc"),
        "caffeinate": Wrap(takes="tw"),
        "arch": _PLAIN, "setarch": _SKIP_ONE, "cross-env": Wrap(assigns=True),
        "faketime": _SKIP_ONE,
        "fakeroot": Wrap(takes="lsbi", long=names("--lib --faked")),
        "fakechroot": Wrap(takes="seb"),
        "proot": Wrap(takes="rbwqkRSi", long=names("--rootfs --bind --cwd --qemu --kernel-release")),
        "proxychains": Wrap(takes="f"), "proxychains4": Wrap(takes="f"),
        "rlwrap": Wrap(takes="fHbCDgOPqSstV"),
        "xvfb-run": Wrap(takes="efnps", long=names("--error-file --auth-file --server-num --xauth-protocol "
                                                  "--server-args")),
        "strace": Wrap(takes="abeEIoOpPsSuUX", leaf=names("-p")),
        "ltrace": Wrap(takes="aADeFlnopsuwxX", leaf=names("-p")),
        "valgrind": _PLAIN,
        "chroot": Wrap(long=names("--userspec --groups"), skip=1, place="chroot:"),
        "unshare": Wrap(takes="SGRw", long=names("--setuid --setgid --root --wd")),
        "nsenter": Wrap(takes="tSGW", long=names("--target --setuid --setgid --wdns"), place="namespace:"),
        "systemd-run": Wrap(takes="HMpuE", long=names("--unit --property --description --slice --uid --gid "
                            "--nice --setenv --host --machine --working-directory --on-active --on-calendar"),
                            chdir=names("--working-directory")),
        "flock": Wrap(takes="wE", long=names("--timeout --wait --conflict-exit-code"), skip=1,
                      texts=names("-c --command"), leaf=names("-u --unlock")),
        "script": Wrap(takes="mtTBIOEo", texts=names("-c --command"), skip=1, keep=True,
                       long=names("--log-in --log-out --log-io --log-timing --echo "
                                 "--output-limit --logging-format")),
        "watch": Wrap(takes="nq", long=names("--interval --equexit"), joined=True),
        "entr": Wrap(texts=names("-s")),
        "newgrp": Wrap(skip=1, shells=names("*")),
        "run0": Wrap(takes="ugD", chdir=names("-D --chdir"),
                     long=names("--unit --user --group --nice --chdir --setenv --slice --property "
                                "--description --background")),
        "runcon": Wrap(takes="turl", long=names("--type --user --role --range")),
        "ssh-agent": Wrap(takes="aEOPt", leaf=names("-k -s -c -D -d")),
        "capsh": Wrap(rest=names("--"), skip=99, entry=names("--shell")),
        "daemonize": Wrap(takes="aceElopu"),
        "start-stop-daemon": Wrap(takes="xapnucgrdkNPIRs", dashes=True, chdir=names("-d --chdir"),
                                  entry=names("-x --exec -a"), leaf=names("-K --stop -T --status"),
                                  long=names("--exec --pidfile --name --user --chuid --group --chroot "
                                             "--chdir --umask --nicelevel --procsched --iosched --retry "
                                             "--signal --ppid --pid --notify-timeout --output")),
        "dtach": Wrap(takes="AacnNer"),
        "sem": Wrap(takes="jN", long=names("--jobs --id --semaphoretimeout"), joined=True, keep=True),
        "sshpass": Wrap(takes="pfdP"),
        "nix-shell": Wrap(takes="ApIE", long=names("--attr --packages --option --arg --argstr"),
                          texts=names("--run --command"), skip=99, keep=True),
        "dotenv": Wrap(takes="fe", dashes=True), "dotenvx": Wrap(takes="f", dashes=True),
        "npx": Wrap(takes="p", long=names("--package --cache --userconfig"), texts=names("-c --call")),
        "pnpx": _PLAIN, "bunx": _PLAIN, ",": _PLAIN, "comma": _PLAIN, "pkgx": _PLAIN,
        "uvx": Wrap(takes="p", long=names("--from --with --python --index --index-url --with-editable")),
        "hyperfine": Wrap(takes="wrmMpcPsDLnNuS", joined=True,
                          texts=names("-p -c -s --prepare --cleanup --setup")),
    }
)  # fmt: skip
