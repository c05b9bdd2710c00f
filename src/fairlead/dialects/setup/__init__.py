"""Where the hooks of an agent stand, and what has to stand there."""
