"""What hooks of scripts cost, beside the same work without hooks."""
