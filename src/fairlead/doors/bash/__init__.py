"""The door of bash scripts: `hooks.bash`, which a script sources, and the recorder that it starts."""
