"""Made from `remote-commands.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'salt': {'also': ('verbs',), 'code': 'network.remote_commands:TABLE'}}
SAME: dict[str, str] = {'bolt': 'salt',
 'clush': 'salt',
 'dsh': 'salt',
 'fab': 'salt',
 'mco': 'salt',
 'parallel-ssh': 'salt',
 'pdsh': 'salt',
 'pssh': 'salt',
 'salt-call': 'salt',
 'salt-ssh': 'salt',
 'wsl': 'salt'}
