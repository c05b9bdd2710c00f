"""Shell text into a syntax tree."""
