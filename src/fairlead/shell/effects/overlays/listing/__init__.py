"""Which names a tree, an archive or a patch holds: read within bounds, nothing unpacked and nothing run."""
