"""Files that implement hooks, as tests write them."""


def script(folder, name, body, mode=0o755):
    path = folder / name
    path.write_text(f"#!/usr/bin/env bash\n{body}\n")
    path.chmod(mode)
    return path
