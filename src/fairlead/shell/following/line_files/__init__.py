"""Files that the line itself writes or fetches, and then runs."""
