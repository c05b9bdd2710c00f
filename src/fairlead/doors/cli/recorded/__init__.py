"""What the commands that look back share: the index, filters, files and sessions."""
