"""Files that programs load by themselves, or that options and variables name."""
