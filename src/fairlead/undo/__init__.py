"""Saves what a call would lose, within bounds, and brings it back."""
