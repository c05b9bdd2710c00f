"""Fairlead's own commands in what an agent runs, whatever they are called there."""
