"""One module per agent, beside those that are answered alike."""
