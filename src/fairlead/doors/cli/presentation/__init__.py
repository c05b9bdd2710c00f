"""How commands look: widths, wrapping, tables, colours, and the words for decisions and times."""
