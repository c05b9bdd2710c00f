"""What the words of a command line mean, whatever program they are given to: verbs that lose something, nouns
of what lasts, and nouns of what is made again by itself."""

from __future__ import annotations

from functools import lru_cache

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.tables import names

LOSING = names(
    """
    delete destroy drop purge wipe terminate nuke obliterate truncate deprovision decommission teardown
    undeploy unpublish erase expunge unprovision undefine zap zeroize revoke annihilate deauthorize
    """
)
"""Verbs that say by themselves that something will be gone."""
UNDOING = names(
    """
    rm del remove reset revoke cancel clear disable unregister forget prune flush evict kill deregister
    abandon uninstall down rollback shutdown detach expire deactivate archive leave suspend demote retire
    discard empty trash unlink ban unset rmr rmi gc stop drain fence burn resolve unassign logout failover
    halt pause reboot deallocate
    """
)
"""Verbs that are as bad where they stand beside what lasts, or beside a word that forces them."""
_ENDING = names(
    """
    stop kill shutdown down disable suspend drain resolve cancel logout failover unset empty halt pause reboot
    deallocate
    """
)
"""Verbs of everyday work, but for what others depend on."""
_STAYING_UP = names(
    """
    instance vm machine node cluster host pod broker incident workflow subscription region datacenter
    replica alert monitor application account user tenant domain plan membership order booking droplet
    """
)
LASTING = names(
    """
    account acl address alias app application archive array asset backup bank bot branch broker bucket
    campaign catalog cert certificate channel chip cluster collection connector consumer container contact
    contract coin credential customer dashboard data database dataset datastore datacenter db deployment
    device directory disk dns document domain drive efuse endpoint entity entry env environment exchange
    experiment extension factory firewall firmware flash fleet folder gateway grant group guest history
    host identity incident index indice indices installation instance interface inbox inventory key
    keyring keyspace keystore lease license list listing lun machine mail mailbox member membership
    message metric migration mirror model monitor namespace network node offset order org organisation
    organization owner pair partition peer permission pod policy pool principal product profile project
    queue realm record recording recovery region registry release replica repo repository resource role
    room route router rule schema secret segment sensor series server service share shard site slot
    snapshot space stack storage store stream subnet subscription subvolume table team tenant thing token
    topic tunnel user vault vhost vip volume vm wallet webhook workflow workspace zone
    """
)
"""Nouns of what is not made again by running something once more."""
PASSING = names(
    """
    cache caches cached tmp temp temporary dist coverage transient transients scratch screenshot
    screenshots pycache bytecode preview mock mocks fixture fixtures ccache sccache thumbnails e2e test
    tests spec specs
    """
)
"""Nouns of what is made again by itself."""
_STORES = names("db database databases schema migrate migrations")
_EMPTYING = names("fresh clean clear reset recreate reinit")
LOOKING = names(
    """
    help search describe explain lint view list ls show get status info inspect diff print cat find
    validate verify count watch tail grep simulate whatis
    """
)
"""Words after which no verb is told to anyone: `config get delete_policy`."""
_NAMING = names(
    """
    generate gen g new create scaffold make start checkout switch edit open add branch touch write invoke
    test tests check log logs history query docs stats preview plan
    """
)
"""Words after which a compound is a name: `generate page delete-account`."""
_NEGATED = names("no on before after pre post is can should un non never soft auto if")
_PART = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_WORD = lazy(r"[A-Za-z][\w:.-]{0,79}")
_FEW = 6


@lru_cache(maxsize=512)
def parts(text: str) -> tuple[str, ...]:
    """`purge_queue`, `DeleteShard` and `zone-delete` in single words, lower case."""
    return tuple(part.lower() for part in _PART.findall(text[:80]))


def singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def lasts(word: str) -> bool:
    return word in LASTING or singular(word) in LASTING


def _is_named_lasting(text: str) -> bool:
    """`user`, `users/jane`, `queue=orders`, `resource-group`: what a verb beside it is done to."""
    noun = text.lower().replace("=", "/").partition("/")[0]
    return lasts(noun) or (bool(parts(noun)) and "." not in noun and lasts(parts(noun)[-1]))


def _verb(part: str) -> str:
    """`flushall` and `flushdb` are `flush`."""
    short = part.removesuffix("all").removesuffix("db")
    return short if short in UNDOING or short in LOSING else part


_RUN_TOGETHER = lazy(r"(?:del|rm|rem|purge|drop)([a-z]{2,})|([a-z]{2,})del")


def _is_run_together(part: str) -> bool:
    """`deluser`, `rmpool`, `userdel`."""
    found = _RUN_TOGETHER.fullmatch(part)
    return found is not None and (lasts(found[1] or found[2]) or found[1] == "tree")


def _loses(words: tuple[str, ...]) -> bool:
    return any(
        (_verb(part) in LOSING or _is_run_together(part)) and (index == 0 or words[index - 1] not in _NEGATED)
        for index, part in enumerate(words)
    )


def says_loss(texts: list[str], *, context: str = "", forced: bool = False, assured: bool = False) -> bool:
    """Whether the words of a subcommand say that something lasting will be gone.

    `context` is the program's name, which may say what its words are about. `forced`: it shall ask nothing;
    `assured`: so it says in more than one letter that may be short for a file.
    """
    about = parts(context)
    made = False
    for index, text in enumerate(texts[:_FEW]):
        if text in LOOKING:
            return False
        words = _spoken(text, first=index == 0)
        beside = texts[max(index - 1, 0) : index] + texts[index + 1 : index + 2]
        compound = len(words) > 1
        cheap = any(
            part in PASSING for part in (*about, *words, *(p for near in beside for p in parts(near)))
        )
        if words and not cheap and not (compound and made):
            if _loses(words) or (compound and _is_task(text, words)):
                return True
            if _undoes(words, beside, about=about, forced=forced, assured=assured):
                return True
        made = made or text in _NAMING
    return False


def _spoken(text: str, *, first: bool) -> tuple[str, ...]:
    """The parts of a word that may be a subcommand. A name with a suffix is a file, unless that is a verb;
    `DeleteFunction` is a name where it is not the first word."""
    if not _WORD.fullmatch(text) or (not first and text[:1].isupper() and not text.isupper()):
        return ()
    words = parts(text)
    last = parts(text.rpartition(".")[2])
    return words if "." not in text or (last and last[0] in LOSING | UNDOING) else ()


def _is_task(text: str, words: tuple[str, ...]) -> bool:
    """`pg:reset`, `migrate:fresh`, `numbers:remove`, `queue-flush`: words in the way of task runners."""
    return words[-1] == "flush" or (":" in text and words[-1] in ("reset", "fresh", "remove", "rm"))


def _undoes(
    words: tuple[str, ...], beside: list[str], *, about: tuple[str, ...], forced: bool, assured: bool
) -> bool:
    for verb in (_verb(part) for part in words):
        if verb in _EMPTYING and any(near in _STORES for near in beside):
            return True
        if verb not in UNDOING:
            continue
        if assured if verb in ("stop", "down", "clear") else forced:
            return True
        wanted = _STAYING_UP if verb in _ENDING else LASTING
        nouns = [part for part in words if _verb(part) != verb]
        nouns += [near.lower().replace("=", "/").partition("/")[0] for near in beside]
        if any(noun in wanted or singular(noun) in wanted for noun in nouns):
            return True
        if verb not in _ENDING and (
            any(_is_named_lasting(near) for near in beside) or any(lasts(part) for part in about)
        ):
            return True
    return False
