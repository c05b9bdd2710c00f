"""What is seldom typed by a person: hooks, servers and scripts."""
