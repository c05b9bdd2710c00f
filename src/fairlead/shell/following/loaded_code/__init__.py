"""Files of the project that code takes in, and that run with it."""
