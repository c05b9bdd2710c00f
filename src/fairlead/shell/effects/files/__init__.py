"""What programs do to files."""
