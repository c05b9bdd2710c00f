"""Tables of programs that need no logic of their own."""
