"""What makes a release of a commit: checks, notes, a list of parts, a tag."""
