"""`fairlead top`: what agents do at this moment, on one screen. Events and keys in, rows of text out."""
