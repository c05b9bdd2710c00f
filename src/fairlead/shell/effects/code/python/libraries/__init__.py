"""Libraries that Python code may use: what their calls do, as data."""
