"""Python code followed without being run: what each expression may be, statement by statement."""
