"""What package managers install, remove and trust."""
