"""What the commands about policies share: faults, examples, names, exceptions and audit."""
