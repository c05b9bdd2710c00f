"""What is known about programs."""
