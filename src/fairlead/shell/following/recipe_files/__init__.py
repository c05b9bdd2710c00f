"""Files of a project that say what a runner runs: from a runner and its files to commands."""
