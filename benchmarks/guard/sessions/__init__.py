"""Whole sessions of agents, harmless ones and attacks across calls, in projects with scripts of their own."""
