"""One signed policy for many machines: formats and rules, without sockets. Never imported by a hook call."""
