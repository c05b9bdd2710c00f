"""What git is told to run."""
