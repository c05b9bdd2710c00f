"""What keeps the guard in force, and what runs outside of it: by place, and by who would run it."""
