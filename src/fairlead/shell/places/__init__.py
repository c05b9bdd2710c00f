"""Where things are: paths, what lies behind them, and the only door to the disk."""
