"""What a machine tells of itself: how its guard is, which agents are there, and what its calls came to."""
