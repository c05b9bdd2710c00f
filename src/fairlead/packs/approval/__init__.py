"""What a person lets agents do without being asked, command by command."""
