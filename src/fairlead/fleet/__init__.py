"""The fleet: formats and rules that its machines share. No sockets and no broker in here."""
