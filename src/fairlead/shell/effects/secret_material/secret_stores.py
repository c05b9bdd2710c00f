"""Programs that keep secrets: what they show, and what they delete."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.files.touched_paths import touched
from fairlead.shell.effects.subcommand_tables import Danger, same_reader, shown, subcommand_reader
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names


def _shows(path: str, *needs: str) -> Danger:
    return Danger(path, "read-secret", needs=needs, action=Action.READ_SECRET)


def _loses(path: str) -> Danger:
    return Danger(path, "delete")


_VAULT = (
    _shows("kv get|export"),
    _shows("print token"),
    _shows("read|unwrap"),
    _loses("kv delete|destroy"),
    _loses("kv metadata delete"),
    _loses("delete"),
    _loses("secrets|auth|audit disable"),
    Danger("operator seal|rekey|rotate|generate-root|raft|step-down", "disturb"),
    _loses("lease|token revoke"),
    _shows("token create"),
    _shows("login", "-token-only", "-field"),
)
_STORES: dict[str, tuple[Danger, ...]] = {
    "op": (_shows("read|inject|signin"), _shows("item|document get"), _loses("item|vault|document delete")),
    "bw": (
        _loses("delete|edit"),
        _shows("get|export"),
        _shows("list items"),
        _shows("unlock|login", "--raw"),
    ),
    "rbw": (_shows("get|code"), _loses("remove|purge")),
    "lpass": (_shows("show|export"), _loses("rm")),
    "dcli": (_shows("password|p|note|otp|read|exec"),),
    "keepassxc-cli": (_shows("show|clip|export|attachment-export"), _loses("rm|rmdir")),
    "kpcli": (_shows("", "--command"),),
    "keyring": (_shows("get"), _loses("del")),
    "secret-tool": (_shows("lookup|search"), _loses("clear")),
    "security": (
        _shows("find-generic-password|find-internet-password|dump-keychain|export|find-key"),
        _loses("delete-*"),
        Danger(
            "authorizationdb|add-trusted-cert|remove-trusted-cert|set-key-partition-list|trust-settings-import",
            "change-account",
            action=Action.CHANGE_ACCOUNTS,
        ),
    ),
    "keyctl": (_shows("print|read|pipe|dump"), _loses("clear|purge|revoke|unlink")),
    "kwallet-query": (_shows("", "-r", "--read-password"),),
    "chamber": (_shows("export|read|env"), _loses("delete")),
    "credstash": (_shows("get|getall"), _loses("delete")),
    "doppler": (_shows("secrets"), _shows("configure get token")),
    "infisical": (_shows("export|secrets"),),
    "phase": (_shows("secrets get|export|list"),),
    "hcp": (_shows("vault-secrets secrets open|read"), _shows("auth print-access-token")),
    "vlt": (_shows("secrets get"),),
    "akeyless": (_shows("get-secret-value|get-dynamic-secret-value|get-rotated-secret-value"),),
    "conjur": (_shows("variable get|value"),),
    "teller": (_shows("show|env|export|sh|yaml"),),
    "berglas": (_shows("access|edit"), _loses("delete|destroy")),
    "aws-vault": (_shows("export"), _loses("remove|rm")),
    "saml2aws": (_shows("script"), _shows("login", "--print-credentials", "--credential-process")),
    "gimme-aws-creds": (_shows("", "--output-format", "-o"),),
    "granted": (_shows("credential-process"),),
    "ejson": (_shows("decrypt"),),
    "eyaml": (_shows("decrypt"),),
    "git-crypt": (_shows("export-key"),),
    "transcrypt": (_shows("", "-d", "--display", "-s", "--show-raw"),),
    "blackbox_cat": (_shows("*"),),
    "ansible-vault": (_shows("view|decrypt"),),
    "sops": (
        _shows("decrypt"),
        _shows("exec-env * env|printenv*|env *|set|export|*echo*|*cat*|sh|bash"),
        _shows("", "-d", "--decrypt", "--extract"),
    ),
    **dict.fromkeys(("age", "rage"), (_shows("", "-d", "--decrypt"),)),
    **dict.fromkeys(("vault", "bao"), _VAULT),
    "kubeseal": (_shows("", "--recovery-unseal"),),
    "my_print_defaults": (_shows("", "-s", "--show"),),
    "systemd-creds": (_shows("cat|decrypt"),),
    "tpm2_unseal": (_shows("*"), _shows("", "-c")),
    "step": (_shows("crypto jwe decrypt"), _shows("ca token"), _shows("oauth")),
    "keytool": (
        _shows("", "-importkeystore", "-exportsecret"),
        Danger("", "delete", needs=("-delete",)),
        Danger("", "root-shell", needs=("-cacerts",), unless=("-list",), action=Action.GAIN_PRIVILEGE),
    ),
    "pk12util": (_shows("", "-o"),),
    "docker-credential": (_shows("get"), _loses("erase")),
    "certutil": (
        Danger("", "delete", needs=("-D", "-F")),
        Danger("", "root-shell", needs=("-A", "-addstore"), action=Action.GAIN_PRIVILEGE),
    ),
}
_OWN_WORDS = names(
    """
    ls list find search grep insert add edit generate git init help version rm remove delete mv rename cp copy
    create audit sync setup recipients mounts config env show cat otp totp history otp-code clone fsck link
    """
)
"""Subcommands of password stores; any other word is the name of a password, and shows it."""


def _password_store(command: Command, where: Surroundings) -> Iterator[Effect]:
    given = read_arguments(command.argv[1:], until_operand=True)
    first = given.operands[0].text if given.operands else ""
    if not first or given.has("--help", "--version"):
        return
    if first in ("rm", "remove", "delete"):
        yield Effect(Action.CHANGE_CLOUD, "delete", command, what=shown(command))
    elif first in ("show", "cat", "otp", "totp", "copy") or first not in _OWN_WORDS:
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))


def _envchain(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`envchain NAME env` prints what it keeps; any other program is given it."""
    if any(word.text in ("env", "printenv", "export", "set") for word in command.argv[2:3]):
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))


def _reader(program: str, dangers: tuple[Danger, ...]) -> EffectReader:
    single_dash = program in ("keytool", "vault", "bao", "pk12util")
    known = subcommand_reader(
        Action.CHANGE_CLOUD, dangers, valued=("-a", "-s", "-t", "-r", "--account"), single_dash=single_dash
    )

    def read(command: Command, where: Surroundings) -> Iterator[Effect]:
        yield from known(command, where)
        yield from touched(command, where)

    return read


def _memory(command: Command, where: Surroundings) -> Iterator[Effect]:
    """All that a process knows, in a file."""
    yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))


_DUMPING = lazy(r"\b(?:dump (?:binary )?(?:memory|value)|generate-core-file|gcore)\b|^process save-core")


_ATTACHED = lazy(r"^-p\d*$|^--(?:pid|attach-pid)\b|^attach ")
_ENDING = lazy(r"\bcall (?:\(\w+\) ?)?_?exit\(|^kill$|^signal SIG(?:KILL|TERM)")


def _debugger(command: Command, where: Surroundings) -> Iterator[Effect]:
    if any(_DUMPING.search(word.text) for word in command.argv[1:]):
        yield from _memory(command, where)
    attached = any(_ATTACHED.match(word.text) for word in command.argv[1:])
    if attached and any(_ENDING.search(word.text) for word in command.argv[1:]):
        yield Effect(Action.KILL, "kill-vital", command, what=shown(command))
    yield from touched(command, where)


_NOT_CRACKING = names(
    "--help -h --version -V --list list get create update serve migrate introspect version help"
)


def _cracker(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Programs that nobody starts but to get at passwords; another `hydra` serves logins, and is told so."""
    if not any(word.text in _NOT_CRACKING for word in command.argv[1:2]):
        yield from _memory(command, where)


_WITH_VARIABLES = lazy(r"^(?=[a-zA-Z]*e)(?=[a-zA-Z]*[wux])[a-zA-Z]+$")


def _processes(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`ps auxe` shows the variables of each process; `ps -e` only names all of them."""
    if any(_WITH_VARIABLES.match(word.text) for word in command.argv[1:2]):
        yield from _memory(command, where)


TABLE: dict[str, EffectReader] = {
    "gcore": _memory,
    "ps": _processes,
    **same_reader(
        _cracker,
        "john hashcat mimikatz mimikatz.exe lazagne laZagne.py secretsdump.py impacket-secretsdump pypykatz "
        "hydra medusa ncrack crackmapexec nxc netexec responder chntpw fcrackzip aircrack-ng patator "
        "kerbrute rubeus unshadow",
    ),
    **same_reader(_debugger, "gdb lldb"),
    **same_reader(_password_store, "pass gopass passage prs"),
    **same_reader(_envchain, "envchain summon"),
    **{name: _reader(name, table) for name, table in _STORES.items()},
}
