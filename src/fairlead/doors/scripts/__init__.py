"""The door of scripts: hooks that a script declares, and the functions and files that implement them."""
