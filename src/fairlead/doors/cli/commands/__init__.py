"""One file per command, each with a `command` that `main` loads on first use."""
