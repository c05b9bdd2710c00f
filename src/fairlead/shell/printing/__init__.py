"""What commands would print, for those who use it."""
