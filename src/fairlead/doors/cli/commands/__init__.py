"""One file per command in the folder of its group, each with a `command` that `main` loads on first use."""
