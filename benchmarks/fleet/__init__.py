"""What a fleet carries."""
