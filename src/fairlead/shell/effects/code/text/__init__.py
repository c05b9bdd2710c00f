"""Code as text: what is taken out or written plainly before calls are looked for."""
