"""Files that a command is given in words which nothing else explains: a program that is known must not be
weaker than one that nobody knows, given the same paths."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.output_options import OUTPUT
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.programs.record import UNLISTED, Program
from fairlead.shell.script import Command, Word, Wrapper
from fairlead.shell.word_pieces import part_from
from fairlead.shell.word_sets import names

_WORTH_A_LOOK = lazy(
    r"/\.|/etc/|/root|/proc/|/var/|/run/|/usr/|/s?bin/|/boot/|\.env|\.git/|\.pem|\.key|id_|secret|credential|netrc|passw|shadow"
)
"""What a line has in it that names a file which is anybody's business."""

_USING = lazy(
    r"(?:^|[-_.])(?:identit(?:y|ies)|(?:private|public|ssh|api|access|signing|server|client|tls|ssl|host)?-?key|keys?|keyring"
    r"|keystore|truststore|pkcs\w+|certs?|certificate|cacert|ca|kubeconfig|env|vars?|dotenv|secrets?|pass(?:word|phrase|wd)?"
    r"|credentials?|creds|token|auth|netrc|cookies?|jar|exclude|ignore|include|names?|path|filter|pattern|glob|message|title"
    r"|body|text|label|annotation|allow|deny|vault|account|store|wallet|dir(?:ectory)?|folder|cwd|workdir|chdir|root|prefix"
    r"|volumes?|mount|bind|socket)(?:[-_]?(?:files?|path|dir|from|id|pass(?:word)?-file))*$",
    re.IGNORECASE,
)
_USING_LETTERS = names("-i -m -g -e -k")
"""Options whose value is used and not shown: keys, variables, folders, patterns, messages."""

_CONFIGURING = lazy(
    r"(?:^|-)(?:config(?:uration)?|conf|rc|rcfile|settings|options|defaults|userconfig|profile)(?:-?(?:file|path|extra-file))*$"
)
_CONFIGURING_LETTERS = names("-c -f -F")
_SETTINGS = lazy(
    r"(?:config|\.conf|\.cfg|\.cnf|\.ini|\.toml|\.json|\.ya?ml|\.xml|rc|\.properties|\.env)$|/\.env[^/]*$"
)
"""What is called settings, and is given as such, is used."""

_MAKING = lazy(
    r"(?:^|-)(?:out(?:put)?|log|trace|dump(?:-\w+)?|pid|lock|report|save|record|write|cid|iid|stderr|stdout|errors?|history"
    r"|junit|xml|csv|html|metadata|transcript|typescript|warnings|profile-out|dep|heap|coverage|digest|tee|pcap|capture)"
    r"(?:-?(?:file|path|name|to|xml|dir|log|json))*$"
)
"""Long options that say by their name that a file is made."""
_KEPT_BY_SERVERS = lazy(r"/(?:var/)?(?:run|log|lock)/[\w./-]+\.(?:pid|log|lock|sock)$")


def otherwise_given(
    command: Command, program: Program, where: Surroundings, found: Sequence[Effect]
) -> Iterator[Effect]:
    """What a listed program reads and makes, besides what its record or its code says of its words."""
    words = command.argv[1:]
    if not _WORTH_A_LOOK.search(" ".join([word.text for word in words])):
        return
    explained = {effect.target.path for effect in found if effect.target is not None}
    for effect in _given(option_and_value(words), command, program, where):
        if effect.target is not None and effect.target.path not in explained:
            yield effect


def written_onto_itself(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`openssl enc -in X -out X`, `gpg -c -o X X`: what was in the file is gone, or locked away."""
    words = [(option, word) for option, word in option_and_value(command.argv[1:]) if not word.opaque]
    outputs = [word for option, word in words if _makes(option, word.text, OUTPUT)]
    inputs = {word.text for option, word in words if word not in outputs}
    for word in outputs:
        if word.text in inputs and word.text not in ("-", ""):
            target = resolve(word, command, where)
            yield Effect(Action.TRUNCATE, "output", command, target, what=shown(command))


def given_to_wrapper(wrapper: Wrapper, command: Command, where: Surroundings) -> Iterator[Effect]:
    """What a program reads and makes that runs another: `strace -o FILE ls`, `ssh -F FILE host ls`."""
    words = wrapper.argv[1:]
    if _WORTH_A_LOOK.search(" ".join([word.text for word in words])):
        outside = command.replace(argv=wrapper.argv, wrappers=())
        values = ((option, word) for option, word in option_and_value(words) if option)
        yield from _given(values, outside, where.programs.find(wrapper.name) or UNLISTED, where)


def given_by_options(command: Command, program: Program, where: Surroundings) -> Iterator[Effect]:
    """What the options of a program read and make whose operands are read elsewhere."""
    words = command.argv[1:]
    if _WORTH_A_LOOK.search(" ".join([word.text for word in words])):
        whole = {id(word) for word in words}
        values = option_and_value(words)
        stuck = program.replace(operands=program.operands | _UNSHOWN)
        for option, word in values:
            if option:
                yield from _given(((option, word),), command, stuck if id(word) in whole else program, where)


def _given(
    words: Iterable[tuple[str, Word]], command: Command, program: Program, where: Surroundings
) -> Iterator[Effect]:
    """What the words of a program read and make, by what their options say."""
    shown_all = program.operands.isdisjoint(_UNSHOWN)
    makes = program.outputs if "no-outputs" in program.also else program.outputs | OUTPUT
    for option, word in words:
        if not program.shows.isdisjoint((option, letter_of(option))):
            action = Action.READ
        elif _makes(option, word.text, makes):
            action = Action.OVERWRITE
        elif shown_all and _shows(option, word.text):
            action = Action.READ
        else:
            continue
        yield Effect(action, "given", command, resolve(word, command, where), what=shown(command))


_UNSHOWN = names("text uses")


def _makes(option: str, value: str, outputs: Collection[str]) -> bool:
    if option in outputs or letter_of(option) in outputs:
        return True
    made = option[:2] == "--" and _MAKING.search(option[2:])
    return bool(made) and not _KEPT_BY_SERVERS.match(value)


def letter_of(option: str) -> str:
    """The last of several short options in one word is the one that takes a value."""
    name = option.partition(":")[0]
    return name if name[:2] == "--" else f"-{name[-1:]}"


def _shows(option: str, value: str) -> bool:
    """Whether a file that this option names, or that is an operand, may come to be seen."""
    name = option.lstrip("-")
    if option in _USING_LETTERS or _USING.search(name):
        return False
    return not (is_configuring(option) and _SETTINGS.search(value))


def is_configuring(option: str) -> bool:
    """Whether the value of this option is most likely a file of settings."""
    return option in _CONFIGURING_LETTERS or _CONFIGURING.search(option.lstrip("-")) is not None


def option_and_value(words: Sequence[Word]) -> Iterator[tuple[str, Word]]:
    """Every word that may name a file, with the option that it belongs to: nothing for an operand, `@` where
    that sign asks for what is in the file.

    Which options take a value is not known: a word behind one counts as its value.
    """
    before = ""
    for word in words:
        text = word.prefix if word.opaque else word.text
        option, before = before, ""
        if not text.startswith("-") or text == "-":
            yield from _named_by(option, word, text)
            continue
        name, equals, value = text.partition("=")
        slash = text.find("/")
        if equals and (slash < 0 or len(name) < slash):
            yield from _named_by(name, part_from(word, len(name) + 1), value)
        elif slash > 1:
            yield text[:slash], part_from(word, slash)
        else:
            before = text


_LONGEST = 4096
_ADDRESS = lazy(r"fileb?:(?://(?:localhost)?(?=/))?(?=/)")
_BEFORE_PATH = lazy(r"(?:([\w.:-]+)=)?([@<])?(?=[/.~]|id_)")


def _named_by(option: str, word: Word, text: str) -> Iterator[tuple[str, Word]]:
    """The path that is a word or a part of it: `file:///x`, `@x`, `name=x`, `name=@x`."""
    if not text or len(text) > _LONGEST or "\n" in text:
        return
    address = _ADDRESS.match(text)
    if address:
        yield option, part_from(word, address.end())
    elif text.startswith(("/", "./", "../")) or (" " not in text and "://" not in text):
        found = _BEFORE_PATH.match(text)
        if found is None or not found.end():
            yield option, word
        else:
            name = ":".join(filter(None, (option, found[1])))
            yield "@" if found[2] else name, part_from(word, found.end())
