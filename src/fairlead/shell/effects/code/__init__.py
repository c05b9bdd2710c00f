"""Small checks of code in other languages: which files it touches, which commands it runs."""
