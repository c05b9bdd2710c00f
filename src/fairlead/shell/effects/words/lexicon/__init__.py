"""What words mean, whatever program they are given to: one group for each use, with its reason."""
