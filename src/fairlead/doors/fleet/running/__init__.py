"""How an agent runs: what starts it, that there is one, and each look at what is published."""
