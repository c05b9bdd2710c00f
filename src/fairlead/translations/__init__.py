"""Model requests and responses: from each API's own shape to the neutral one, and back as a patch."""
