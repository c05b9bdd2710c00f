"""The ways out: broken glass, and an `off` that somebody with the role has signed."""
