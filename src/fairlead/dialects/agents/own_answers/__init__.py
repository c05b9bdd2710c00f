"""Agents whose answers are like no other's."""
