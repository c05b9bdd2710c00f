"""What git knows of a project: saved and brought back. Git itself is never run."""
