"""A machine of a fleet: takes up its policy, tells of itself, and does what else a fleet asks of it."""
