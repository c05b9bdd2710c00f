"""Made from `archives.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'find': {'also': ('named-files',), 'code': 'files.tree_programs:TABLE'},
 'tar': {'also': ('named-files',), 'code': 'files.tree_programs:TABLE'},
 'unzip': {'also': ('named-files',), 'code': 'files.tree_programs:TABLE'},
 'zip': {'also': ('named-files',), 'code': 'files.tree_programs:TABLE'}}
SAME: dict[str, str] = {'7z': 'zip',
 '7za': 'zip',
 '7zr': 'zip',
 '7zz': 'zip',
 'bsdtar': 'tar',
 'gfind': 'find',
 'gtar': 'tar',
 'p7zip': 'zip',
 'rar': 'zip',
 'unrar': 'zip'}
