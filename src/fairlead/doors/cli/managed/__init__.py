"""Fairlead in the settings of a whole machine: put there, proved and taken out by root."""
