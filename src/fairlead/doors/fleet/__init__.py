"""Between this machine and its fleet: taking up what is published, and publishing."""
