"""What a server says of itself, held against what was seen before: pins, and what has changed since."""
