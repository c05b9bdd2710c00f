"""One module per framework, each on that framework's own seam, each imported only when it is used."""
