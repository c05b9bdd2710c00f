"""Runs a file whose text is the answer."""

import json

from fairlead.plugins import Capture, Failure, FailureCode, Stage


class TextExecutor:
    def run(self, hook, event, previous):
        try:
            with open(str(hook.run.target), encoding="utf-8") as file:
                return Capture(value=json.load(file))
        except (OSError, ValueError) as error:
            message = f"{hook.run.target}: {error}"
            return Capture(failure=Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message))
