"""Whether what a call takes away is lost: to git, to the session that made it, or to a person."""
