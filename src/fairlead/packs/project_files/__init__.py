"""Files that a call would run: read from the disk within bounds, and told by whose they are."""
