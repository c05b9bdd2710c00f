"""Build tools whose files run commands: cargo, go, meson, gradle, maven, terraform."""
