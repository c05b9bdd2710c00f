"""Which calls a hook wants to see, in our words and in those of agents."""
