"""JSON, TOML, YAML and the like, read without ever failing."""
