"""What several commands of one script do together."""
