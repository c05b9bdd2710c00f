"""What root and the fleet decided for everybody: `hooks/managed.yaml` of the layers `system` and `fleet`."""
