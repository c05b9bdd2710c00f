"""What the words of a command line mean, whatever program they are given to: verbs that lose something, nouns
of what lasts, and nouns of what is made again by itself."""

from __future__ import annotations

from functools import lru_cache

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

LOSING = names(
    """
    delete destroy drop purge wipe terminate nuke obliterate truncate deprovision decommission teardown
    undeploy unpublish erase expunge unprovision undefine zap zeroize revoke annihilate deauthorize
    factoryreset masserase offboard cleanse
    """
)
"""Verbs that say by themselves that something will be gone."""
UNDOING = names(
    """
    abandon archive ban burn cancel clean cleanup clear close deactivate deallocate del demote deregister
    detach disable discard disconnect down drain empty evict expire failover fence flush forget gc halt
    kick kill leave logout pause prune rb reboot reinstall remove reset resolve retire revert revoke rm
    rmdir rmi rmr rollback shutdown stop suspend trash unassign unban uninstall unlink unregister unset
    """
)
"""Verbs that are as bad where they stand beside what lasts, or beside a word that forces them."""
ENDING = names(
    """
    stop kill shutdown down disable suspend drain resolve cancel logout failover unset empty halt pause
    reboot deallocate close kick disconnect
    """
)
"""Verbs of everyday work, but for what others depend on."""
STAYING_UP = names(
    """
    instance vm machine node cluster host pod broker incident workflow subscription region datacenter
    replica alert monitor application client channel deployment account user tenant domain plan membership
    order booking droplet
    """
)
LASTING = names(
    """
    account acl address admin apikey app application archive array asset backup bank bootloader bot branch
    bridge broker bucket ca campaign card catalog cert certificate channel chip client cluster coin
    collection computer connector consumer contact container contract credential customer dashboard data
    database datacenter dataset datastore db deployment device directory disk dns document domain drive
    efuse endpoint entity entry env environment exchange experiment extension factory fido firewall
    firmware flash fleet folder gateway grant group guest history host hsm identity image inbox incident
    index indice indices installation instance interface inventory key keyring keyspace keystore lease
    license list listing logs lun machine mail mailbox member membership message metric migration mirror
    model monitor namespace neighbor neighbour network node oath offset order org organisation
    organization outlet owner pair partition peer permission piv pod policy pool principal product profile
    project queue realm record recording recovery region registry release replica repo repository resource
    role room route router rule schema secret segment sensor series server service shard share site slot
    snapshot space stack storage store stream subnet subscription subvolume system table tag team tenant
    tester thing token topic tpm tunnel user vault vhost vip vm volume wallet webhook workflow workspace
    zone
    """
)
"""Nouns of what is not made again by running something once more."""
PASSING = names(
    """
    cache caches cached tmp temp temporary dist coverage transient transients screenshot screenshots
    pycache bytecode preview mock mocks fixture fixtures ccache sccache thumbnails e2e test tests spec
    specs simctl simulator simulators emulator avd
    """
)
"""Nouns of what is made again by itself."""
STORES = names("db database databases schema migrate migrations")
EMPTYING = names("fresh clean clear reset recreate reinit")
CLEANED = names("bucket ca cluster database db index node queue server table topic trash trashbin volume vm")
"""What is emptied where it is cleaned; of anything else, cleaning takes away what is made again."""
INNOCENT = names(
    """
    aliases attributes column columns comment comments css duplicate duplicates empty header headers
    import imports index-pattern missing prefix punctuation quotes redundant rows suffix trailing unused
    whitespace background bg colors color shadow
    """
)
"""What is taken out of a text, a picture or a table, where nothing is lost but what was asked for."""
LOOKING = names(
    """
    help search describe explain lint view list ls show get status info inspect diff print cat find
    validate verify count watch tail grep simulate whatis eval
    """
)
"""Words after which no verb is told to anyone: `config get delete_policy`."""
LOOKED_AT = names(
    """
    list view tail count print diff
    """
)
"""Those that are as often a thing: `list delete devs`."""
NAMING = names(
    """
    generate gen g new create scaffold make start checkout switch edit open add branch touch write invoke
    test tests check log logs history query docs stats preview plan
    """
)
"""Words after which a compound is a name: `generate page delete-account`."""
NEGATED = names("no on before after pre post is can should un non never soft auto if")
_PART = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@lru_cache(maxsize=512)
def parts(text: str) -> tuple[str, ...]:
    """`purge_queue`, `DeleteShard` and `zone-delete` in single words, lower case."""
    return tuple(map(str.lower, _PART.findall(text[:80])))


def singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def lasts(word: str) -> bool:
    return word in LASTING or singular(word) in LASTING
