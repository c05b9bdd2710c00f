"""Made from `keys.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'echo': {'code': 'secret_material.key_programs:TABLE'},
 'funzip': {'code': 'secret_material.key_programs:TABLE'},
 'getent': {'code': 'secret_material.key_programs:TABLE'},
 'gpg': {'code': 'secret_material.key_programs:TABLE'},
 'openssl': {'code': 'secret_material.key_programs:TABLE'},
 'printenv': {'code': 'secret_material.key_programs:TABLE'},
 'ssh-keygen': {'code': 'secret_material.key_programs:TABLE'}}
SAME: dict[str, str] = {'bzcat': 'funzip', 'gpg2': 'gpg', 'printf': 'echo', 'xzcat': 'funzip', 'zcat': 'funzip', 'zipinfo': 'funzip'}
