"""What calls of Python libraries do, by what they touch."""
