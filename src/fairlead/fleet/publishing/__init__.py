"""What is published for a group, and how far a version has gone."""
