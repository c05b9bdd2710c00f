"""What people decided again and again, and the lines of a policy that would spare them the question."""
