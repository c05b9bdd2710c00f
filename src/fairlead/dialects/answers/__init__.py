"""From a verdict to the words that an agent can be told."""
