"""What is worth remembering of a call that was let through."""
