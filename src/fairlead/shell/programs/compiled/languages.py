"""Made from `languages.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'bash': {'also': ('launches',)}, 'javac': {'outputs': ('-d',), 'single_dash': True}}
SAME: dict[str, str] = {'ash': 'bash',
 'csh': 'bash',
 'dash': 'bash',
 'fish': 'bash',
 'hush': 'bash',
 'ksh': 'bash',
 'ksh93': 'bash',
 'mksh': 'bash',
 'posh': 'bash',
 'rbash': 'bash',
 'sh': 'bash',
 'tcsh': 'bash',
 'yash': 'bash',
 'zsh': 'bash'}
