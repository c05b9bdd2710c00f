"""Models behind the two methods that an agent needs, each by its maker's own SDK."""
