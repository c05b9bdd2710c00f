"""Where policy is published and machines are looked at."""
