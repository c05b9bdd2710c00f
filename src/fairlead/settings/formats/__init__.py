"""JSON, TOML and YAML as trees with places: one value is changed, and the rest stays."""
