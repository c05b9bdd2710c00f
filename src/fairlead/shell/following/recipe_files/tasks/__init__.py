"""Task runners with a file of their own: just, task, and those of Procfiles and playbooks."""
