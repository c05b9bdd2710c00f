"""A journal of many lines, and how fast it is indexed, searched and replayed."""
