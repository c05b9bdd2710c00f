"""What CI systems are told about a hook: their log, their variables, and reports."""
