"""Hook execution over a message bus: the same engine, asked from elsewhere."""
