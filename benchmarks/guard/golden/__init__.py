"""What the guard makes of very many lines, written down so that two trees can be compared."""
