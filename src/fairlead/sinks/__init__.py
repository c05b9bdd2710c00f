"""Where records go besides the journal. A sink never delays or changes a verdict."""
