"""Files that nobody wants to lose by accident."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.judging.losses.own_files import is_own_elsewhere
from fairlead.packs.judging.losses.recovery import undecided, unrecoverable
from fairlead.packs.places.moved_files import goes_away, into_nothing, renames_all, to_temporary
from fairlead.packs.places.other_machines import changes_vital_elsewhere, loses_elsewhere
from fairlead.packs.places.replaced_files import is_command, replaces_a_file
from fairlead.packs.places.system_records import changes_record
from fairlead.packs.places.unset_variables import fatal_if_unset
from fairlead.packs.rule import Pack, Rule, Scene, Severity
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.targets import Place

_OUTSIDE = frozenset(
    (Place.OUTSIDE, Place.HOME, Place.HOME_ROOT, Place.SYSTEM, Place.ROOT, Place.LOCAL, Place.DEVICE)
)
_LOSSES = (Action.DELETE, Action.TRUNCATE)


def _recursive(effect: Effect, scene: Scene) -> bool:
    return effect.recursive and not is_own_elsewhere(effect.target, scene.memory)


def _single(effect: Effect, scene: Scene) -> bool:
    return (
        not effect.recursive
        and effect.name != "git-rm"
        and not (effect.name == "rmdir" and effect.target_place < Place.SYSTEM)
        and not is_own_elsewhere(effect.target, scene.memory)
    )


def _not_a_log(effect: Effect, scene: Scene) -> bool:
    target = effect.target
    if target is None:
        return False
    if effect.action is Action.TRUNCATE:
        return True
    if effect.name == "mkdir" or target.path in ("/tmp", "/var/tmp"):  # noqa: S108 - something new in there
        return False
    if changes_record(effect):
        return True
    return not target.path.startswith(("/var/log/", "/proc/self/", "/run/user/", "/var/folders/"))


PACK = Pack(
    id="filesystem",
    summary="Deletes, overwrites and moves of files outside the project, and of work that git could not bring back",
    rules=(
        Rule(
            id="filesystem/recursive-delete-outside-project",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.DELETE,),
            places=_OUTSIDE,
            when=_recursive,
            reason="`{what}` would delete {target} with everything in it, and that is outside the project.",
            person="A whole directory outside the project would be deleted for good.",
            alternative="Look first with `ls -la {target}`, and leave the deletion to the person.",
            dangerous=(
                "rm -rf /",
                "rm -rf ~/Documents",
                "cd / && rm -rf *",
                "sudo rm -r /etc",
                "rm -rf ../other",
            ),
            harmless=(
                "rm -rf node_modules",
                "rm -rf ./build dist",
                "rm -rf /tmp/build",
                "rm -rf ~/.cache/pip",
            ),
        ),
        Rule(
            id="filesystem/delete-elsewhere",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.DELETE, Action.TRUNCATE),
            places=frozenset((Place.REMOTE_ROOT,)),
            when=loses_elsewhere,
            reason="`{what}` would delete {target} on another machine or in a container.",
            person="Files on another machine, or in a container's volumes, would be deleted.",
            alternative="Look first: `ssh host ls -la /srv`.",
            dangerous=(
                "ssh host rm -rf /srv",
                "docker exec db rm -rf /var/lib/mysql",
                "kubectl exec web -- rm -rf /data",
            ),
            harmless=(
                "ssh host ls /srv",
                "docker exec web rm -rf /tmp/cache",
                "docker run --rm alpine rm -rf /var/lib/x",
                "ssh host 'rm -rf build'",
            ),
        ),
        Rule(
            id="filesystem/change-elsewhere",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.WRITE, Action.OVERWRITE, Action.TRUNCATE),
            places=frozenset((Place.REMOTE_ROOT,)),
            when=changes_vital_elsewhere,
            reason="`{what}` would change {target} on another machine.",
            person="Files that another machine lives from would be changed.",
            alternative="Look first: `ssh host cat /etc/nginx/nginx.conf`.",
            dangerous=(
                "ssh host 'echo x > /etc/passwd'",
                "ssh host 'truncate -s 0 /srv/app.db'",
                "kubectl exec web -- sh -c ': > /etc/hosts'",
            ),
            harmless=(
                "ssh host 'cat /etc/hosts'",
                "ssh host 'echo x > /tmp/note'",
                "ssh host 'truncate -s 0 /var/log/app.log'",
                "docker exec web sh -c 'echo x > /etc/motd'",
            ),
        ),
        Rule(
            id="filesystem/delete-outside-project",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.DELETE,),
            places=_OUTSIDE,
            when=_single,
            reason="`{what}` would delete {target}, which is outside the project.",
            person="A file outside the project would be deleted for good.",
            alternative="Look first with `ls -la {target}`, and leave the deletion to the person.",
            dangerous=("rm /etc/hosts", "rm -f ~/notes.txt", "unlink /usr/bin/env", "shred -u ~/thesis.tex"),
            harmless=("rm -f /tmp/out.txt", "rm -f build/app.o"),
        ),
        Rule(
            id="filesystem/delete-project",
            recoverable=True,
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_LOSSES,
            places=frozenset((Place.PROJECT_ROOT,)),
            reason="`{what}` would delete the whole project.",
            person="The project directory itself would be deleted, uncommitted work included.",
            alternative="Name what is generated: `rm -rf build`, or look with `git clean -nd`.",
            dangerous=("rm -rf .", "rm -rf *", "rm -rf ./*", "rm -r ../$(basename $PWD)", "truncate -s 0 *"),
            harmless=("rm -rf build/*", "rm -f *.pyc"),
        ),
        Rule(
            id="filesystem/delete-vcs-metadata",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.DELETE, Action.TRUNCATE, Action.MOVE_AWAY),
            places=frozenset((Place.VCS,)),
            reason="`{what}` would destroy {target}: the history lives there.",
            person="The repository's history, stashes and branches would be lost.",
            alternative="Look at the state with `git fsck` or `git status`.",
            dangerous=("rm -rf .git", "rm .git/index", "truncate -s 0 .git/HEAD", "mv .git /tmp/gone"),
            harmless=("ls .git", "cat .gitignore", "rm -f .git/index.lock"),
            when=lambda effect, scene: not (effect.target and effect.target.path.endswith(".lock")),
        ),
        Rule(
            id="filesystem/write-vcs-metadata",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.OVERWRITE, Action.WRITE),
            places=frozenset((Place.VCS,)),
            when=lambda effect, scene: (
                effect.name != "mkdir"
                and not (effect.target and effect.target.path.endswith(("/info/exclude", "MSG", ".lock")))
            ),
            reason="`{what}` writes to {target} behind git's back; hooks and settings there run code.",
            person="Files inside .git decide what code git runs and what the branches are.",
            alternative="Use git itself, such as `git config user.name X` or `git branch topic`.",
            dangerous=("echo x > .git/hooks/pre-commit", "echo 0 > .git/refs/heads/main", "tee .git/config"),
            harmless=("echo build >> .git/info/exclude", "echo x > .gitignore"),
        ),
        Rule(
            id="filesystem/delete-uncommitted-work",
            recoverable=True,
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=_LOSSES,
            places=frozenset((Place.PROJECT,)),
            when=unrecoverable,
            reason="`{what}` would lose {target}, and git could not bring it back.",
            person="Work that was never committed would be lost.",
            alternative="Keep it first: `git stash push -u`, or move it: `mv notes.txt /tmp/`.",
            dangerous=(),
            harmless=("rm -rf node_modules", "rm -rf target"),
        ),
        Rule(
            id="filesystem/delete-undecided-work",
            recoverable=True,
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_LOSSES,
            places=frozenset((Place.PROJECT,)),
            when=undecided,
            reason="`{what}` would lose {target}, and whether git could bring it back cannot be told here.",
            person="The repository cannot be read, so this may be work that was never committed.",
            alternative="Look with `git status`, or move it: `mv notes.txt /tmp/`.",
            dangerous=(),
            harmless=("rm -rf node_modules", "rm -rf target"),
        ),
        Rule(
            id="filesystem/delete-listed",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.DELETE,),
            places=frozenset((Place.UNKNOWN,)),
            names=frozenset(("listed",)),
            reason="`{what}` would delete whatever the command before it prints.",
            person="What would be deleted cannot be known before it runs.",
            alternative="Print the list first, then delete by name, such as `rm -rf build`.",
            dangerous=("cat list.txt | xargs rm -rf",),
            harmless=("find . -name '*.pyc' | xargs rm -f",),
        ),
        Rule(
            id="filesystem/delete-by-unset-variable",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.DELETE,),
            places=frozenset((Place.UNKNOWN,)),
            when=fatal_if_unset,
            reason="`{what}` depends on a variable that nothing here sets; with an empty one it deletes the system,"
            " the home or the project.",
            person="With an empty variable this would delete system directories, your home or the project.",
            alternative="Write the path itself, such as `rm -rf build`.",
            dangerous=('rm -rf "$DIR"/*', "rm -rf $ROOT/", 'rm -rf "$PREFIX/lib"', "cd $DIR && rm -rf *"),
            harmless=('rm -rf "$ROOT/node_modules"', 'd=build; rm -rf "$d"/*', "cd $DIR && rm -rf dist"),
        ),
        Rule(
            id="filesystem/delete-unknown-target",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(*_LOSSES, Action.MOVE_AWAY),
            places=frozenset((Place.UNKNOWN,)),
            when=lambda effect, scene: effect.action is not Action.MOVE_AWAY or into_nothing(effect, scene),
            reason="`{what}` has a target that cannot be known before it runs.",
            person="An empty or unexpected variable here could delete anything.",
            alternative="Write the path itself, such as `rm -rf build`.",
            dangerous=('rm -rf "$DIR"', "rm -rf $(cat dirs.txt)"),
            harmless=('d=build; rm -rf "$d"',),
        ),
        Rule(
            id="filesystem/delete-temporary-root",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.DELETE,),
            places=frozenset((Place.TEMPORARY_ROOT,)),
            reason="`{what}` would delete the temporary files of every program.",
            person="Other programs keep sockets and open files there.",
            alternative="Name your own directory: `rm -rf /tmp/build`.",
            dangerous=("rm -rf /tmp", "rm -rf /tmp/*"),
            harmless=("rm -rf /tmp/build-*",),
        ),
        Rule(
            id="filesystem/move-away",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.MOVE_AWAY,),
            places=frozenset((Place.SYSTEM, Place.ROOT, Place.HOME_ROOT)),
            when=goes_away,
            reason="`{what}` would move {target} away from where the system needs it.",
            person="The system or a home directory would no longer be where programs look for it.",
            alternative="Copy instead, such as `cp {target} /tmp/`.",
            dangerous=("mv /etc /tmp/etc", "sudo mv /usr/bin /tmp", "mv ~ /tmp/home"),
            harmless=("mv src/a.py src/b.py", 'for f in /var/log/app/*.log; do mv "$f" "$f.1"; done'),
        ),
        Rule(
            id="filesystem/move-project-away",
            recoverable=True,
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=(Action.MOVE_AWAY,),
            places=frozenset((Place.PROJECT_ROOT,)),
            reason="`{what}` would move the whole project away.",
            person="The project would no longer be where your tools look for it.",
            alternative="Copy it instead: `cp -r . /tmp/copy`.",
            dangerous=("mv * /tmp/gone",),
            harmless=("mv README.md docs/",),
        ),
        Rule(
            id="filesystem/move-into-nothing",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.MOVE_AWAY,),
            when=into_nothing,
            reason="`{what}` moves {target} onto a device: it would be gone.",
            person="Moving a file onto a device deletes it.",
            alternative="Move it to a directory: `mv src/a.py /tmp/`.",
            dangerous=("mv src/app.py /dev/null",),
            harmless=("mv a.txt b.txt",),
        ),
        Rule(
            id="filesystem/move-home-file-away",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.MOVE_AWAY,),
            places=frozenset((Place.HOME,)),
            when=to_temporary,
            reason="`{what}` moves {target} out of the home directory to where it will be cleaned up.",
            person="Files in temporary directories are deleted at the next restart.",
            alternative="Copy it instead: `cp {target} /tmp/`.",
            dangerous=("mv ~/Documents /tmp/.gone",),
            harmless=("mv ~/Downloads/data.csv data/",),
        ),
        Rule(
            id="filesystem/rename-home-files",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.MOVE_AWAY,),
            places=frozenset((Place.HOME,)),
            when=renames_all,
            reason="`{what}` gives another name to every file in {target}, and nothing keeps the old ones.",
            person="Your files would have other names, and nobody could tell which is which.",
            alternative="Try it on a copy in the project: `cp -r {target} /tmp/`.",
            dangerous=('for f in ~/Pictures/*; do mv "$f" "$f.bak"; done',),
            harmless=("mv ~/Downloads/a.pdf ~/Downloads/b.pdf", "mv ~/Downloads/* ~/Sorted/"),
        ),
        Rule(
            id="filesystem/write-system-file",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.OVERWRITE, Action.WRITE, Action.TRUNCATE),
            places=frozenset((Place.SYSTEM, Place.ROOT)),
            when=_not_a_log,
            reason="`{what}` would write to {target}, which belongs to the system.",
            person="A system file would be changed.",
            alternative="Write a copy in the project, such as `cp /etc/hosts hosts.new`, and let the person install it.",
            dangerous=(
                "echo x >> /etc/hosts",
                "cp evil /usr/bin/ls",
                "truncate -s 0 /etc/shadow",
                "> /etc/passwd",
            ),
            harmless=("echo x > out.txt", "make 2>> /var/log/build.log", "echo x > /dev/null"),
        ),
        Rule(
            id="filesystem/replace-command",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=(Action.OVERWRITE, Action.WRITE),
            places=frozenset((Place.LOCAL, Place.HOME)),
            when=is_command,
            reason="`{what}` would put something else where everyone looks for {target}.",
            person="A well-known command would be replaced by another program.",
            alternative="Give it a name of its own: `cp mytool /usr/local/bin/mytool`.",
            dangerous=(
                "cp evil /usr/local/bin/ls",
                "ln -sf /tmp/evil /usr/local/bin/git",
                "cp evil ~/.local/bin/sudo",
            ),
            harmless=("sudo cp mytool /usr/local/bin/mytool", "cp mytool ~/.local/bin/mytool"),
        ),
        Rule(
            id="filesystem/overwrite-home-file",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.OVERWRITE,),
            places=frozenset((Place.HOME,)),
            when=replaces_a_file,
            reason="`{what}` would replace {target}, which is there already.",
            person="A file in your home directory would be replaced, and nothing keeps the old one.",
            alternative="Keep the old one: `cp {target} {target}.old`.",
            dangerous=(),
            harmless=("cp notes.txt ~/a-name-that-nothing-has.txt", "echo x >> ~/notes.txt"),
        ),
        Rule(
            id="filesystem/truncate-outside-project",
            severity=Severity.HIGH,
            decision=Decision.BLOCK,
            actions=(Action.TRUNCATE,),
            places=frozenset((Place.HOME, Place.HOME_ROOT, Place.OUTSIDE, Place.LOCAL)),
            reason="`{what}` would empty {target}, which is outside the project.",
            person="A file outside the project would be emptied.",
            alternative="Look at it first: `wc -c {target}`.",
            dangerous=("> ~/notes.txt", "truncate -s 0 ~/notes.txt", ": > /data/db.sqlite"),
            harmless=("> /tmp/out.log", ": > build.log"),
        ),
    ),
)
