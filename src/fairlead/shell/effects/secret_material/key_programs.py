"""Programs that make and show keys, and commands that print secrets from variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.given_paths import written_onto_itself
from fairlead.shell.effects.files.touched_paths import touched
from fairlead.shell.effects.network.documents import is_fed_a_file
from fairlead.shell.effects.network.server_requests import LOCAL
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.secret_material.secret_searches import SECRET_NAME, SECRET_VARIABLE
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.unknown import Kind
from fairlead.shell.word_sets import names

_NAMED = lazy(r"^" + SECRET_NAME + r"$")
_OPENSSL_VALUED = names(
    """
    -in -inkey -out -keyout -subj -days -newkey -addext -config -passout -passin -extensions -CAkey -CA -name
    -writerand -inform -outform -connect -servername -key -cert -signkey -extfile -set_serial -pkeyopt
    -algorithm
    """
)


def read_printing(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`echo $GITHUB_TOKEN`; into a pipe or a file it is used, not shown."""
    if _is_sent_elsewhere(command):
        return
    for word in command.argv[1:]:
        if (word.opaque or word.pieces) and any(SECRET_VARIABLE.search(text) for text in _variables_in(word)):
            yield Effect(Action.READ_SECRET, "print-variable", command, what=shown(command))
            return


def _is_sent_elsewhere(command: Command) -> bool:
    """Whether what it prints goes into a file; its input and its errors may go where they like."""
    if not command.redirects:
        return False
    outputs = [redirect for redirect in command.redirects if redirect.descriptor in (None, 1)]
    return any(output.operator in _OUTPUTS and output.target.text != "2" for output in outputs)


_OUTPUTS = (">", ">>", ">|", "&>", "&>>", ">&")


def _variables_in(word: Word) -> Iterator[str]:
    """The unknown parts of a word, but for what another program prints: it may have been given a secret."""
    for text, unknown in word.pieces or ((word.text, word.opaque),):
        if unknown is not None and unknown.kind != Kind.OUTPUT:
            yield text


def read_printenv(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    if any(_NAMED.match(word.text) for word in command.argv[1:]) and not _is_sent_elsewhere(command):
        yield Effect(Action.READ_SECRET, "print-variable", command, what=shown(command))


def _connects_away(command: Command) -> bool:
    texts = [word.text for word in command.argv[1:]]
    return texts[:1] == ["s_client"] and not any(map(LOCAL.match, texts))


def read_openssl(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """Making a key or a certificate shows nothing; `-pubout` and `-noout` show what is public."""
    given = read_arguments(command.argv[1:], valued=_OPENSSL_VALUED, single_dash=True)
    for option in ("-out", "-keyout", "-writerand"):
        for word in given.values.get(option, ()):
            target = resolve(word, command, where)
            yield Effect(Action.OVERWRITE, "new-key", command, target, what=shown(command))
    if _connects_away(command) and is_fed_a_file(command):
        yield Effect(Action.SEND_DATA, "raw-connection", command, what=shown(command))
    yield from written_onto_itself(command, where)
    shows = given.has("-text") and any(
        word.text in ("rsa", "ec", "pkey", "dsa") for word in command.argv[1:2]
    )
    for option in ("-out", "-keyout"):
        for word in given.values.get(option, ()):
            target = resolve(word, command, where)
            if target.place in (Place.DEVICE, Place.SYSTEM):
                yield Effect(Action.OVERWRITE, "openssl", command, target, what=shown(command))
    if given.has("-pubout", "-noout", "-pubkey", "-sign", "-verify", "-out") and not shows:
        return
    for option in ("-in", "-inkey"):
        for word in given.values.get(option, ()):
            yield Effect(Action.READ, "openssl", command, resolve(word, command, where))


def read_gpg(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    yield from written_onto_itself(command, where)
    texts = [word.text for word in command.argv[1:]]
    if {"--lsign-key", "--quick-lsign-key", "--import-ownertrust"} & set(texts):
        yield Effect(Action.CHANGE_PACKAGES, "source-change", command, what=shown(command))
    exports = any(text.startswith("--export-secret") for text in texts)
    decrypts = {"-d", "--decrypt"} & set(texts) and not {"-o", "--output"} & set(texts)
    if exports or decrypts:
        yield Effect(Action.READ_SECRET, "read-secret", command, what=shown(command))
    elif any(text.startswith("--delete-secret") for text in texts):
        yield Effect(Action.CHANGE_ACCOUNTS, "change-password", command, what=shown(command))
    for option, after in pairwise(command.argv[1:]):
        if option.text in ("-o", "--output"):
            yield Effect(
                Action.OVERWRITE, "gpg", command, resolve(after, command, where), what=shown(command)
            )
    yield from touched(command, where)


def read_ssh_keygen(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """A new key loses nothing; a new passphrase for an old one does, and so does a new key over it."""
    given = read_arguments(
        command.argv[1:], valued=("-f", "-t", "-b", "-C", "-N", "-P", "-R", "-F", "-I", "-s")
    )
    word = given.value("-f")
    if given.has("-p", "-c") and word is not None:
        yield Effect(Action.WRITE, "ssh-keygen", command, resolve(word, command, where), what=shown(command))


def read_unpacked_text(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    """`unzip -p a.zip .env` prints a member of the archive."""
    for word in command.argv[2:]:
        yield Effect(Action.READ, "unzip", command, resolve(word, command, where))
