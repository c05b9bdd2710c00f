"""The settings of agents that only root writes: where they stand, what locks them, what gets round them."""
