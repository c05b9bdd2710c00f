"""What programs do to the machine: processes, disks, accounts."""
