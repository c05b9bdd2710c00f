"""Made from `wrappers.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'command': {'operands': ('text',)},
 'entr': {'also': ('no-outputs',), 'operands': ('uses',)},
 'env': {'also': ('no-outputs',)},
 'gtime': {'also': ('no-outputs',), 'outputs': ('--output', '-o')},
 'ltrace': {'outputs': ('--output', '-o')},
 'perf': {'outputs': ('--output', '-o')},
 'run-parts': {'also': ('paths',),
               'does': (('/bin|/sbin|/usr/bin|/usr/sbin|/usr/local/bin',
                         'gain-privilege',
                         'root-shell',
                         (),
                         ('--test', '--list')),),
               'values': ('--arg', '--lsbsysinit', '--regex', '--umask', '-a', '-u')},
 'script': {'operands': ('changes',), 'values': ('--command', '-B', '-I', '-O', '-T', '-c')},
 'strace': {'outputs': ('--output', '-o')},
 'time': {'also': ('no-outputs',), 'outputs': ('--output', '-o')},
 'watch': {'also': ('no-outputs',)}}
SAME: dict[str, str] = {}
