"""Files that programs are told to run: scripts of their own, notebooks, and programs to start."""
