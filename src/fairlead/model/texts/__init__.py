"""How values are written: for people, for models, and as words of StatsD."""
