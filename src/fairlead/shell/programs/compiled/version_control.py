"""Made from `version-control.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'bfg': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'bzr': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'cvs': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'darcs': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'dvc': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'etckeeper': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'fossil': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'hg': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'jj': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'p4': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'pijul': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'repo': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'},
 'svn': {'also': ('anywhere',), 'code': 'git.other_version_control:TABLE'}}
SAME: dict[str, str] = {'brz': 'bzr', 'sl': 'hg'}
