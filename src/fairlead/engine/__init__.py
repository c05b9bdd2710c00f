"""Event in, verdict out: pure, one module per stage, named after it.

The order of the data: validator, translator, planner (with order), runner, interpreter, aggregator, finisher,
recorder. `system` holds them together.
"""
