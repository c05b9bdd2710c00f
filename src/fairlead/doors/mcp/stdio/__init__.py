"""A client on our own stdin and stdout, a server as a child process, and the bytes between them."""
