"""Made from `interpreters.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'bun': {'also': ('launches', 'packages', 'statements'), 'code': 'code.script_arguments:read_bun'},
 'java': {'also': ('statements',), 'code': 'code.script_arguments:read_java', 'single_dash': True},
 'node': {'also': ('statements',), 'code': 'code.script_arguments:read_interpreter', 'operands': ('script',)},
 'perl': {'also': ('statements',), 'code': 'code.script_arguments:read_interpreter', 'operands': ('script',)},
 'php': {'also': ('statements',), 'code': 'code.script_arguments:read_interpreter'},
 'powershell': {'also': ('statements',), 'code': 'code.script_arguments:read_powershell'},
 'python': {'also': ('statements',),
            'code': 'code.script_arguments:read_interpreter',
            'operands': ('script',)},
 'ruby': {'also': ('statements',), 'code': 'code.script_arguments:read_interpreter', 'operands': ('script',)},
 'virtualenv': {'also': ('named-files',), 'code': 'files.deleting_programs:read_virtualenv'}}
SAME: dict[str, str] = {'pwsh': 'powershell',
 'py': 'python',
 'pypy3': 'python',
 'python2': 'python',
 'python3': 'python',
 'python3.10': 'python',
 'python3.11': 'python',
 'python3.12': 'python',
 'python3.13': 'python',
 'python3.14': 'python'}
