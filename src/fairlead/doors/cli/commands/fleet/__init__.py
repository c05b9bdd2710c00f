"""The commands of a fleet, each a group of its own."""
