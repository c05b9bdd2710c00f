"""Scripts that the manifest of a package names: `package.json` and its kin."""
