"""What `install` sets up beside the agents' settings, and how it is found again."""
