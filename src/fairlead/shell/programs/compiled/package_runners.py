"""Made from `package-runners.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'bunx': {'code': 'network.network_programs:read_remote_module'}}
SAME: dict[str, str] = {'ansible-pull': 'bunx', 'npx': 'bunx', 'pnpx': 'bunx', 'uvx': 'bunx'}
