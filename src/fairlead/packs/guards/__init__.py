"""The built-in hooks that judge a call."""
