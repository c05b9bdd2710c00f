"""What an author registers becomes a hook, or an error that says why it cannot work."""
