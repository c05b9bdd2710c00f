"""What a machine tells of itself and of its calls, and what may leave it."""
