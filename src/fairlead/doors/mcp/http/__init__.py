"""The door before a server at an address: Streamable HTTP, in both eras of the protocol."""
