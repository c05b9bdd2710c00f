"""Made from `keys.toml` by the compiler of programs: edit that file instead."""

PROGRAMS: dict[str, dict[str, object]] = {'age': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'},
 'certutil': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'},
 'gpg': {'code': 'secret_material.key_programs:TABLE'},
 'keytool': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'},
 'openssl': {'code': 'secret_material.key_programs:TABLE'},
 'pk12util': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'},
 'ssh-keygen': {'code': 'secret_material.key_programs:TABLE'},
 'step': {'also': ('anywhere', 'verbs'), 'code': 'secret_material.secret_stores:TABLE'},
 'trust': {'also': ('verbs',), 'does': (('anchor', 'gain-privilege', 'root-shell'),)},
 'update-ca-certificates': {'also': ('verbs',), 'does': (('', 'gain-privilege', 'root-shell'),)}}
SAME: dict[str, str] = {'gpg2': 'gpg', 'rage': 'age', 'update-ca-trust': 'update-ca-certificates'}
