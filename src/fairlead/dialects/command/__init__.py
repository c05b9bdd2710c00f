"""The command in an agent's settings."""
