"""Made from `package-runners.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'ansible-pull': {'code': 'network.network_programs:read_remote_module'},
 'bunx': {'code': 'network.network_programs:read_remote_module'},
 'chef-client': {'does': (('', 'run-network-code', 'download', ('--recipe-url',)),)},
 'jbang': {'does': (('** http://*|https://*', 'run-network-code', 'download'),)},
 'npx': {'code': 'network.network_programs:read_remote_module'},
 'uvx': {'code': 'network.network_programs:read_remote_module'}}
SAME: dict[str, str] = {'chef-solo': 'chef-client', 'cinc-client': 'chef-client', 'pnpx': 'bunx', 'scala-cli': 'jbang'}
