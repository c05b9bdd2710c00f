"""Ways to run a hook. None of them raises for what the hook did: that comes back as a failure."""
