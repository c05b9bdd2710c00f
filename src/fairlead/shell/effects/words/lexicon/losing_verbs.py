"""Verbs that say that something will be gone, stopped or undone; each group says what has to stand beside."""

from __future__ import annotations

from fairlead.shell.word_sets import names

LOSING = names(
    """
    delete destroy drop purge wipe terminate nuke obliterate truncate deprovision decommission teardown
    undeploy unpublish erase expunge unprovision undefine zap zeroize revoke annihilate deauthorize
    factoryreset masserase offboard cleanse
    """
)
"""By themselves: whatever stands beside them, something will be gone."""
UNDOING = names(
    """
    abandon archive ban burn cancel clean cleanup clear close deactivate deallocate del demote deregister
    detach disable discard disconnect down drain empty evict expire failover fence flush forget gc halt
    kick kill leave logout pause prune rb reboot reinstall remove reset resolve retire revert revoke rm
    rmdir rmi rmr rollback shutdown stop suspend trash unassign unban uninstall unlink unregister unset
    """
)
"""As bad where they stand beside what lasts, or beside a word that forces them."""
ENDING = names(
    """
    stop kill shutdown down disable suspend drain resolve cancel logout failover unset empty halt pause
    reboot deallocate close kick disconnect
    """
)
"""Everyday work, but not for what others depend on."""
EMPTYING = names("fresh clean clear reset recreate reinit")
"""Said of a database, they leave it empty."""
ENDING_FOR_A_MANAGER = names(
    """
    stop kill shutdown rm rmr del remove uninstall unregister deactivate leave archive flush reset forget
    evict kick disconnect unban deregister offboard unload
    """
)
"""Said to a program that manages what runs elsewhere, they end it there."""
TAKING_BY_OPTION = names("remove purge uninstall unregister revoke evict")
"""As options: `sometool subscription --remove x`."""
TAKING_TREES = names(
    """
    rm rmdir rmr del remove
    """
)
"""With an option for whole trees, they take all that is below."""
LOSING_ALONE = names(
    "delete destroy drop erase expunge terminate deactivate nuke autonuke unregister kill shutdown"
)
"""Nothing has to be named beside them."""
TAKING_WHEN_FORCED = names("remove prune expire reset flush clear")
"""Bad where the line says that nobody shall be asked."""
LOSING_BY_NAME = names("delete destroy erase nuke terminate clear reset")
"""In the name of a program."""
LOSING_AND_SOLD = names("drop truncate zap revoke")
"""Verbs that are also names of programs and of products."""
LOSING_BY_TOOLS = names(
    """
    delete deletes remove destroy drop terminate purge uninstall truncate wipe flush flushall flushdb nuke
    erase prune deprovision decommission undeploy teardown rm del dropdatabase kill unpublish
    """
)
"""In the names of foreign tools, as servers write them."""
DISTURBING_BY_TOOLS = names(
    "stop pause suspend shutdown reset reboot rollback restore deallocate drain evict downgrade failover undo"
)
"""In the names of foreign tools: what runs will be disturbed."""
DISTURBING_CLUSTERS = names("drain evict rollback suspend shutdown undo downgrade")
"""The same, said of a cluster."""
GONE_AT_HOSTS = names("delete remove destroy")
"""Of what a code host keeps."""
