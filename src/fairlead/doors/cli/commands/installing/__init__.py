"""Into agents and out of them, and whether they are guarded."""
