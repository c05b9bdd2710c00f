"""What words say, whatever program they are given to."""
