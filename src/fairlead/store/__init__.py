"""The SQLite index of the journal: derived from it, and made again from it at any time."""
