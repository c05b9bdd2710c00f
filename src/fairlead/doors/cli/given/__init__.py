"""What a person gives on the command line: each kind of name is known, completed and checked in one place."""
