"""From the text of `hook.meta.yaml`, and of the files beside it, to entries and to every problem."""
