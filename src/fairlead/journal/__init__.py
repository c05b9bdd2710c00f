"""The append-only record of every event and verdict."""
