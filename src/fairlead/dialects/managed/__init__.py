"""The settings of agents that only root writes: where they stand, what locks them, and what gets round them."""
