"""What a call does in view of earlier calls of its session."""
