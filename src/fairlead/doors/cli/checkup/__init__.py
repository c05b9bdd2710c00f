"""What `fairlead doctor` looks at, one file per subject."""
