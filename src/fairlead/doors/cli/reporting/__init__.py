"""A false alarm as an example that can be shown to others."""
