"""Made from `remote-copies.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'rsync': {'also': ('named-files',),
           'code': 'files.remote_copies:read_copying',
           'helpers': ('-S',),
           'operands': ('reads',)},
 'scp': {'also': ('named-files',),
         'code': 'files.remote_copies:read_copying',
         'helpers': ('-S',),
         'operands': ('reads',)}}
SAME: dict[str, str] = {}
