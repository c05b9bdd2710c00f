"""What clients do to databases, and what statements lose."""
