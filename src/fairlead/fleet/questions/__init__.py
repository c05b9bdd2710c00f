"""Questions that leave their machine, and what a person's signed answer has to be."""
