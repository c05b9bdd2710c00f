"""Made from `ansible.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'ansible': {'code': 'services.ansible_modules:TABLE'}}
SAME: dict[str, str] = {'ansible-playbook': 'ansible'}
