"""Trees, archives and patches that are laid over folders, file by file."""
