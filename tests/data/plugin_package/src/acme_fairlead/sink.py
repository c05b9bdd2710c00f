"""Records into a file."""

import json


class FileSink:
    def __init__(self, target):
        self._path = target

    def write(self, record):
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record.get("event"), default=str) + "\n")
