"""Nouns of what lasts, what passes, and what may go: a verb alone does not say how bad it is."""

from __future__ import annotations

from fairlead.shell.word_sets import names

STAYING_UP = names(
    """
    instance vm machine node cluster host pod broker incident workflow subscription region datacenter
    replica alert monitor application client channel deployment account user tenant domain plan membership
    order booking droplet
    """
)
"""What others depend on while it runs."""
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
"""What is not made again by running something once more."""
PASSING = names(
    """
    cache caches cached tmp temp temporary dist coverage transient transients screenshot screenshots
    pycache bytecode preview mock mocks fixture fixtures ccache sccache thumbnails e2e test tests spec
    specs simctl simulator simulators emulator avd
    """
)
"""What is made again by itself."""
STORES = names("db database databases schema migrate migrations")
"""Databases, by the words of tasks."""
CLEANED = names("bucket ca cluster database db index node queue server table topic trash trashbin volume vm")
"""What is emptied where it is cleaned; of anything else, cleaning takes away what is made again."""
INNOCENT = names(
    """
    aliases attributes column columns comment comments css duplicate duplicates empty header headers
    import imports index-pattern missing prefix punctuation quotes redundant rows suffix trailing unused
    whitespace background bg colors color shadow
    """
)
"""What is taken out of a text, a picture or a table: nothing is lost but what was asked for."""
NEGATED = names("no on before after pre post is can should un non never soft auto if")
"""Words that turn the next one around, or only say when it happens."""
COPIED_OVER = names("branch branches backup backups snapshot snapshots instance instances database databases")
"""What a restored copy is written over."""
TOLD_OF_A_LOSS = names(
    """
    account all backup bucket certificate cert cluster collection content data database db disk domain
    everything force forced function group host index instance member namespace node older project queue
    repo repository site snapshot table tenant topic user vm volume zone cookie chip mass flash eraseall
    """
)
"""Beside a losing verb inside one option: `--delete-data`."""
SPEAKING_OF_A_LOSS = names(
    """
    add with include show list print only when on before after env history source tags stale orphan
    orphans merged cache caches
    """
)
"""In options that speak of a loss and do not ask for it: `--add-drop-table`, `--delete-after`."""
