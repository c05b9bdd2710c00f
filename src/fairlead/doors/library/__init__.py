"""The library: hooks around the tools, steps and model calls of an agent in this process."""
