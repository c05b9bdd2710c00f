"""The fleet in a browser: what `fairlead fleet collect` wrote, for whoever looks after it."""
