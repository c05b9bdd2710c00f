"""Questions that leave their machine, and answers that come back."""
