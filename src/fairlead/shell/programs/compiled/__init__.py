"""What the compiler made of the data. Nobody edits these modules by hand."""
