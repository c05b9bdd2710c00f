"""The two loops that run the engine's steps: one blocks, one awaits."""
