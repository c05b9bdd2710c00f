"""The guard's exam: a corpus of calls with the expected decision, and what scores the guard on it."""
