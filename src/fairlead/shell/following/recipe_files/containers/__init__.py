"""Containers: what files about them do to the machine that starts them."""
