"""How `fairlead scan` tells what it found: as a compiler does, as JSON, as SARIF."""
