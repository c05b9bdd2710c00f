"""Whether words say that something lasting will be gone: subcommands, options, and names of programs."""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.shell.effects.words.lexicon.lasting_nouns import (
    CLEANED,
    INNOCENT,
    LASTING,
    NEGATED,
    PASSING,
    SPEAKING_OF_A_LOSS,
    STAYING_UP,
    STORES,
    TOLD_OF_A_LOSS,
)
from fairlead.shell.effects.words.lexicon.losing_verbs import (
    EMPTYING,
    ENDING,
    LOSING,
    LOSING_ALONE,
    LOSING_AND_SOLD,
    LOSING_BY_NAME,
    TAKING_TREES,
    TAKING_WHEN_FORCED,
    UNDOING,
)
from fairlead.shell.effects.words.lexicon.showing_verbs import (
    GENERATING,
    GENERATORS,
    LOOKED_AT,
    LOOKING,
    NAMING,
    TRYING,
)
from fairlead.shell.effects.words.lexicon.word_forms import lasts, parts, singular
from fairlead.shell.lazy_pattern import lazy

_WORD = lazy(r"[A-Za-z][\w:.-]{0,79}")
_FEW = 6


class Manner(Value):
    """How the words are said. `forced`: the program shall ask nothing; `assured`: so it says in more than one
    letter, which may be short for a file; `recursive`: with all that is below; `manages`: the program's name
    says that it manages something which runs elsewhere; `about`: the words of its name; `remote`: it is told
    to another machine; `strict`: no verb counts but those that say it by themselves."""

    forced: bool = False
    assured: bool = False
    recursive: bool = False
    manages: bool = False
    strict: bool = False
    remote: bool = False
    about: tuple[str, ...] = ()


def says_loss(texts: list[str], manner: Manner) -> bool:
    """Whether the words of a subcommand say that something lasting will be gone."""
    if texts and texts[0] in TRYING:
        return False
    named = False
    for index, text in enumerate(texts[:_FEW]):
        following = texts[index + 1 : index + 2]
        if text in GENERATORS or (text in LOOKING and not _is_a_thing(text, following)):
            return False
        words = _spoken(text, first=index == 0)
        if words and not (named and len(words) > 1):
            beside = texts[max(index - 1, 0) : index] + following
            if _lost_by(text, words, beside, manner) and not _is_passing(words, beside, manner):
                return True
        named = named or text in NAMING or bool(GENERATING.intersection(parts(text)))
    return False


def _is_passing(words: tuple[str, ...], beside: list[str], manner: Manner) -> bool:
    """Whether it is said of what is made again by itself."""
    if not (PASSING.isdisjoint(words) and PASSING.isdisjoint(manner.about)):
        return True
    return any(not PASSING.isdisjoint(parts(near)) for near in beside)


def _is_a_thing(text: str, following: list[str]) -> bool:
    """`list delete devs`, `diff abandon D1`."""
    return text in LOOKED_AT and bool(following) and (following[0] in LOSING or following[0] in UNDOING)


def _lost_by(text: str, words: tuple[str, ...], beside: list[str], manner: Manner) -> bool:
    if manner.strict:
        return _loses(words)
    return _loses(words) or (len(words) > 1 and _is_task(text, words)) or _undoes(words, beside, manner)


def _spoken(text: str, *, first: bool) -> tuple[str, ...]:
    """The parts of a word that may be a subcommand. A name with a suffix is a file, unless that is a verb;
    `DeleteFunction` is a name where it is not the first word; `users/delete` is one word of two."""
    text = text.partition("[")[0]
    noun, slash, verb = text.partition("/")
    if slash:
        return (noun, verb) if lasts(noun) and (verb in LOSING or verb in UNDOING) else ()
    if not _WORD.fullmatch(text) or (not first and text[:1].isupper() and not text.isupper()):
        return ()
    if "." not in text:
        return () if INNOCENT.intersection(parts(text)) else parts(text)
    last = parts(text.rpartition(".")[2])
    return parts(text) if text.count(".") == 1 and last and last[0] in LOSING | UNDOING else ()


def _loses(words: tuple[str, ...]) -> bool:
    before = ""
    for part in words:
        if before not in NEGATED and (_verb(part) in LOSING or _is_run_together(part)):
            return True
        before = part
    return False


def _verb(part: str) -> str:
    """`flushall` and `flushdb` are `flush`."""
    if not part.endswith(("all", "db")):
        return part
    short = part.removesuffix("all").removesuffix("db")
    return short if short in UNDOING or short in LOSING else part


_RUN_TOGETHER = lazy(
    r"(?:delete|destroy|remove|erase|wipe|closeall)[a-z]{3,}|(?!un)[a-z]{1,12}(?:delete|destroy|erase)"
    r"|(?:del|rm|rem|purge|drop)([a-z]{2,})|([a-z]{2,})(?:del|rm)"
)


def _is_run_together(part: str) -> bool:
    """`deluser`, `rmpool`, `userdel`, `removekeeper`, `flushall`."""
    found = _RUN_TOGETHER.fullmatch(part)
    if part.endswith(("all", "db")) and _verb(part) != part:
        return True
    if found is None:
        return False
    noun = found[1] or found[2]
    return noun is None or lasts(noun) or noun == "tree"


def _is_task(text: str, words: tuple[str, ...]) -> bool:
    """`pg:reset`, `migrate:fresh`, `numbers:remove`, `queue-flush`: words in the way of task runners."""
    return words[-1] in ("flush", "del", "rm") or (
        ":" in text and words[-1] in ("reset", "fresh", "remove", "rm")
    )


def _is_stored(verb: str, beside: list[str]) -> bool:
    """`root://store rm x`, `rmr /brokers`: in another store than the disk."""
    return any("://" in near or (verb == "rmr" and near.startswith("/")) for near in beside)


def _undoes(words: tuple[str, ...], beside: list[str], manner: Manner) -> bool:
    """A verb that is as bad as losing beside a lasting noun, or where it is forced."""
    if beside and beside[-1] in LOOKING:
        return False  # `trash list`
    about = {near.lower().replace("=", "/").partition("/")[0] for near in beside}
    for verb in map(_verb, words):
        if (verb in EMPTYING and about & STORES) or (verb in TAKING_TREES and _is_stored(verb, beside)):
            return True
        if verb in UNDOING and (_is_driven(verb, words, manner) or _is_done_to(verb, words, about, manner)):
            return True
    return False


def _is_driven(verb: str, words: tuple[str, ...], manner: Manner) -> bool:
    """`reset --all`, `force-leave`, `rm -r`; cleaning and stopping are everyday work, also with `-f`."""
    if verb in ("clean", "cleanup"):
        return False
    if verb in ("stop", "down", "clear"):
        return manner.assured
    return manner.forced or "force" in words or "all" in words or (manner.recursive and verb in TAKING_TREES)


def _is_done_to(verb: str, words: tuple[str, ...], about: set[str], manner: Manner) -> bool:
    nouns = {noun.rstrip("0123456789") for noun in {part for part in words if _verb(part) != verb} | about}
    if verb in ("clean", "cleanup"):
        wanted = CLEANED
    else:
        wanted = LASTING if verb not in ENDING or manner.manages else STAYING_UP
    if any(noun in wanted or singular(noun) in wanted for noun in nouns):
        return True
    if wanted is not LASTING:
        return False
    return any(_ends_lasting(noun) for noun in about) or any(lasts(part) for part in manner.about)


def _ends_lasting(noun: str) -> bool:
    """`resource-group`: the last word is the thing."""
    return "." not in noun and lasts((parts(noun) or ("",))[-1])


_OWNING_UP = lazy(
    r"^--(?:yes-i-(?:really|know|am)[\w-]*|i-(?:really|know|understand|accept|am)-[\w-]+|(?:accept|allow)-data-loss"
    r"|no-preserve-root|factory-?reset)$"
)


def option_says_loss(text: str) -> bool:
    """`--delete`, `--prune-snapshots`, `-dropall`, `--accept-data-loss`; not `--remove-comments`."""
    name, _, value = text.partition("=")
    if len(name) < 5 or not name.startswith("-") or value.lower() in ("false", "no", "0", "off", "never"):
        return False
    if _OWNING_UP.match(name):
        return True
    words = parts(name.rstrip("0123456789"))
    if not words:  # nothing but dashes and digits
        return False
    if len(words) == 1:
        alone = words[0] in LOSING_ALONE and (name.startswith("--") or name == "-kill")
        return alone or _is_run_together(words[0])
    if words[0] in NEGATED or INNOCENT.intersection(words) or SPEAKING_OF_A_LOSS.intersection(words):
        return False
    verbs = [word for word in words if _verb(word) in LOSING or word in TAKING_WHEN_FORCED]
    return bool(verbs) and any(
        word in TOLD_OF_A_LOSS or singular(word) in TOLD_OF_A_LOSS for word in words if word not in verbs
    )


_NAMED_FOR_IT = lazy(
    r"(?:[a-z0-9]{1,12}(?:delete|destroy|erase|wipe)|(?:delete|destroy|erase|wipe)[a-z]{2,})[a-z]{0,12}"
)


def name_says_loss(name: str, manner: Manner) -> bool:
    """`ideviceerase`, `rsnapshot-delete`, `vespa-remove-index`, `delete` itself."""
    words = parts(name)
    if len(words) == 1:
        return (manner.remote and words[0] in LOSING_BY_NAME) or bool(_NAMED_FOR_IT.fullmatch(words[0]))
    if PASSING.intersection(words):
        return False
    if words[-1:] in (("rm",), ("del",)):
        return True
    takes = any(word in TAKING_WHEN_FORCED or word == "cancel" for word in words)
    undoes = takes and _undoes(words, [], manner.replace(about=(), forced=manner.assured))
    return undoes or any(word in LOSING and word not in LOSING_AND_SOLD for word in words)
