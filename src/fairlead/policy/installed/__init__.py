"""What `fairlead install` leaves for the agents, as the parts that need to know it see it."""
