"""What a session did before: a small, bounded memory across calls."""
