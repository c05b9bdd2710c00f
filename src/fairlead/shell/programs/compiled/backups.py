"""Made from `backups.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'fsarchiver': {'also': ('verbs',), 'does': (('restfs|restdir', 'format', 'format'),)},
 'ocs-sr': {'also': ('verbs',), 'does': (('** restoredisk|restoreparts', 'format', 'format'),)},
 'partimage': {'also': ('verbs',), 'does': (('restore|restmbr', 'format', 'format'),)},
 'snapper': {'also': ('verbs',), 'does': (('delete|rollback|undochange|delete-config', 'format', 'format'),)},
 'tarsnap': {'also': ('verbs',), 'does': (('', 'format', 'format', ('-d', '--nuke', '--fsck-prune')),)},
 'timeshift': {'also': ('verbs',),
               'does': (('', 'format', 'format', ('--delete-all', '--delete', '--restore')),)},
 'tmutil': {'also': ('verbs',),
            'does': (('delete*|disable|removedestination|restore|thinlocalsnapshots', 'format', 'format'),)}}
SAME: dict[str, str] = {}
