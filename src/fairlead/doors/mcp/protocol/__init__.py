"""What passes between a client and a server, and what the door makes of it. No pipe, no process, no clock."""
