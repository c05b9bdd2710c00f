"""Made from `backups.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'fsarchiver': {'also': ('verbs',),
                'does': (('restfs|restdir', 'format', 'format'),),
                'values': ('-L', '-Z', '-c', '-e', '-j', '-s', '-z')},
 'ocs-sr': {'also': ('verbs',), 'does': (('** restoredisk|restoreparts', 'format', 'format'),)},
 'partimage': {'also': ('verbs',),
               'does': (('restore|restmbr', 'format', 'format'),),
               'values': ('-V', '-f', '-p', '-s')},
 'snapper': {'also': ('verbs',), 'does': (('delete|rollback|undochange|delete-config', 'format', 'format'),)},
 'tarsnap': {'also': ('verbs',), 'does': (('', 'format', 'format', ('-d', '--nuke', '--fsck-prune')),)},
 'timeshift': {'also': ('verbs',),
               'does': (('', 'format', 'format', ('--delete-all', '--delete', '--restore')),)},
 'tmutil': {'also': ('verbs',),
            'does': (('delete*|disable|removedestination|restore|thinlocalsnapshots', 'format', 'format'),)}}
SAME: dict[str, str] = {}
