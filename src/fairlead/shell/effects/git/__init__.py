"""What git and its relatives do."""
