"""Which hooks there are: `hook.meta.yaml` files in layers, whom to trust, and when to read them again.

`policy.load_policy` is the way in. Nothing here imports YAML before a file has to be parsed.
"""
