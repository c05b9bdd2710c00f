"""Whether a person sits at the terminal: read from the processes that lead to this one."""
