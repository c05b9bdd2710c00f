"""Permissions, owners, accounts, and ways to become root."""

from __future__ import annotations

import re

from fairlead.model.decision import Decision
from fairlead.packs.places.secret_paths import is_secret
from fairlead.packs.rule import Level, Pack, Rule, Scene, Severity
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place

_VITAL = frozenset((Place.SYSTEM, Place.ROOT, Place.HOME_ROOT, Place.DEVICE, Place.VCS, Place.LOCAL))
_WORLD = lazy(r"^(?:0?[0-7]{2}[2367]|[0-7]{3}[2367]|(?:a|o|ugo|go|uo|og)*[+=][rx]*w[rwxXst]*|[+=]rwx)$")
_SET_ID = lazy(r"^(?:[4567][0-7]{3}|0[4567][0-7]{3}|[ugoa,]*[+=][rwx]*s.*)$")
_NOBODY = lazy(r"^0{1,4}$|^a-[rwx]+$|^a=$|^-[rwx]+$")


def _world_writable(effect: Effect, scene: Scene) -> bool:
    mode = effect.detail
    open_to_all = bool(_WORLD.match(mode)) or "o:rwx" in mode
    return open_to_all and (effect.recursive or effect.target_place > Place.PROJECT)


def _sets_id(effect: Effect, scene: Scene) -> bool:
    return effect.name == "chmod" and bool(_SET_ID.match(effect.detail))


_READABLE = lazy(r"^(?:0?[0-7](?:[4-7][0-7]|[0-7][4-7])|(?:a|o|g|go|og|ugo)[+=][wx]*r.*|\+r.*)$")


def _shows_key(effect: Effect, scene: Scene) -> bool:
    return (
        effect.target is not None and bool(_READABLE.match(effect.detail)) and is_secret(effect.target.path)
    )


def _locks_out(effect: Effect, scene: Scene) -> bool:
    return effect.recursive and bool(_NOBODY.match(effect.detail))


def _vital_mode(effect: Effect, scene: Scene) -> bool:
    """Making an own program in /usr/local executable is what people do; all else there is not."""
    executable = re.match(r"^(?:[ugoa]*\+x|0?755)$", effect.detail) and not effect.recursive
    return not (executable and effect.target_place in (Place.LOCAL, Place.VCS))


def _whole(effect: Effect, scene: Scene) -> bool:
    return effect.recursive or effect.target_place in (Place.SYSTEM, Place.ROOT)


PACK = Pack(
    id="privileges",
    summary="Permissions and owners of what matters, accounts, root shells",
    rules=(
        Rule(
            id="privileges/change-system-permissions",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_PERMISSIONS,),
            places=_VITAL,
            when=_vital_mode,
            reason="`{what}` changes the permissions of {target}, which the system depends on.",
            person="Wrong permissions there can lock you out or open the machine.",
            alternative="Look at them: `ls -la {target}`.",
            dangerous=(
                "chmod -R 777 /",
                "chmod 000 /etc/passwd",
                "chmod -R 755 ~",
                "chattr +i /etc/resolv.conf",
            ),
            harmless=("chmod +x run.sh", "chmod 600 ~/.ssh/config", "chmod -R u+w build"),
        ),
        Rule(
            id="privileges/world-writable",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_PERMISSIONS,),
            when=_world_writable,
            reason="`{what}` lets everyone on the machine write to {target}.",
            person="Anyone on the machine could change these files.",
            alternative="Give what is needed to the owner: `chmod -R u+rwX src`.",
            dangerous=("chmod -R 777 .", "chmod -R a+w src", "chmod 777 ~/.ssh", "chmod -R o+rw /data"),
            harmless=("chmod 755 run.sh", "chmod -R u+rwX src", "chmod 644 a.txt"),
        ),
        Rule(
            id="privileges/set-id",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_PERMISSIONS,),
            when=_sets_id,
            reason="`{what}` makes a program run with its owner's rights, whoever starts it.",
            person="A program that anyone can run as another user is a way to become root.",
            alternative="Make it executable: `chmod +x run.sh`.",
            dangerous=("chmod u+s /tmp/sh", "chmod 4755 ./tool", "sudo chmod +s /bin/bash"),
            harmless=("chmod 755 tool", "chmod 1777 /tmp/shared"),
        ),
        Rule(
            id="privileges/readable-key",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_PERMISSIONS,),
            when=_shows_key,
            reason="`{what}` lets others on the machine read {target}, which is a key.",
            person="Others on the machine could read your key.",
            alternative="Keep it to its owner: `chmod 600 ~/.ssh/id_ed25519`.",
            dangerous=("chmod 644 ~/.ssh/id_ed25519", "chmod o+r ~/.aws/credentials"),
            harmless=(
                "chmod 600 ~/.ssh/id_ed25519",
                "chmod 644 ~/.ssh/id_ed25519.pub",
                "chmod 644 README.md",
            ),
        ),
        Rule(
            id="privileges/lock-out",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_PERMISSIONS,),
            when=_locks_out,
            reason="`{what}` takes the permissions of a whole tree away, also from its owner.",
            person="You would no longer be able to read these files.",
            alternative="Change one file: `chmod 600 notes.txt`.",
            dangerous=("chmod -R 000 .", "chmod -R a-rwx src"),
            harmless=("chmod 600 notes.txt",),
        ),
        Rule(
            id="privileges/change-owner",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_OWNER,),
            places=frozenset((Place.SYSTEM, Place.ROOT, Place.HOME_ROOT, Place.DEVICE)),
            when=_whole,
            reason="`{what}` gives {target} to another owner.",
            person="Programs that need to own these files would stop working.",
            alternative="Change only the project: `chown -R user:user .`.",
            dangerous=("chown -R user /", "sudo chown -R user:user /usr", "chown nobody /etc/shadow"),
            harmless=("chown -R user:user .", "sudo chown user build"),
        ),
        Rule(
            id="privileges/change-accounts",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.CHANGE_ACCOUNTS,),
            names=frozenset(
                ("delete-account", "join-root-group", "change-password", "sudoers", "change-account")
            ),
            reason="`{what}` changes who may do what on this machine.",
            person="Accounts, passwords or root rights would be changed.",
            alternative="Look: `id`, or `getent group sudo`.",
            dangerous=(
                "userdel -r bob",
                "usermod -aG sudo bob",
                "passwd root",
                "visudo",
                "echo root:x | chpasswd",
            ),
            harmless=("id", "whoami", "getent passwd", "passwd -S"),
        ),
        Rule(
            id="privileges/add-account",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.CHANGE_ACCOUNTS,),
            names=frozenset(("add-account",)),
            reason="`{what}` adds or changes an account.",
            person="An account would be added or changed.",
            alternative="Look: `getent passwd`.",
            dangerous=("useradd eve", "groupadd staff"),
            harmless=("groups",),
        ),
        Rule(
            id="privileges/exploit",
            severity=Severity.CRITICAL,
            decision=Decision.ASK,
            actions=(Action.GAIN_PRIVILEGE,),
            names=frozenset(("exploit",)),
            reason="`{what}` builds or runs what is named after a way to break in.",
            person="A program made to break into a machine would run on yours.",
            alternative="Look for the fault and not for its use: `npm audit`.",
            dangerous=("gcc CVE-2021-4034.c -o x", "./exploit", "python3 CVE-2023-22809.py"),
            harmless=("grep -r CVE-2021-4034 docs", "git commit -m 'Fix CVE-2021-4034'", "npm audit"),
        ),
        Rule(
            id="privileges/root-shell",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.GAIN_PRIVILEGE,),
            names=frozenset(("root-shell", "setcap", "xhost")),
            reason="`{what}` opens a door that the guard cannot look through.",
            person="What is typed there is not seen by the guard.",
            alternative="Run the one command that needs it: `sudo systemctl restart nginx`.",
            dangerous=("sudo -i", "sudo su -", "su root", "setcap cap_setuid+ep ./x", "sudo -s"),
            harmless=("sudo apt install vim", "sudo -l"),
        ),
        Rule(
            id="privileges/escape",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            always=True,
            actions=(Action.GAIN_PRIVILEGE,),
            names=frozenset(("escape", "container-mounts-host")),
            reason="`{what}` reaches the whole machine from inside a container or namespace.",
            person="The container would have your whole machine.",
            alternative="Mount what is needed: `docker run --rm -v ./data:/data alpine ls /data`.",
            dangerous=(
                "docker run -v /:/host alpine ls",
                "docker run -v /var/run/docker.sock:/var/run/docker.sock x",
                "nsenter -t 1 -m sh",
            ),
            harmless=("docker run --rm -v ./data:/data alpine ls", 'docker run -v "$PWD":/app node npm test'),
        ),
        Rule(
            id="privileges/privileged-container",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.GAIN_PRIVILEGE,),
            names=frozenset(("container-privileged",)),
            reason="`{what}` gives the container the rights of the machine.",
            person="A privileged container can do what root can.",
            alternative="Leave it out: `docker run --rm alpine ls`.",
            dangerous=("docker run --privileged alpine sh",),
            harmless=("docker run --rm alpine ls",),
        ),
        Rule(
            id="privileges/sudo",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.GAIN_PRIVILEGE,),
            names=frozenset(("sudo",)),
            reason="`{what}` runs as root.",
            person="It would run as root.",
            alternative="Try without: `make test`.",
            dangerous=(),
            harmless=("make test",),
            level=Level.STRICT,
        ),
    ),
)
