"""What comes back from a tool: keys that the model need not see, and text that gives it orders."""
