"""The canary of `doctor` that goes through an agent itself, against a model that `doctor` plays."""
