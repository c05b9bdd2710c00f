"""What a call does with a file of secrets: loads, shows, copies or counts it."""
