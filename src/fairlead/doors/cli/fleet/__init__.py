"""The subcommands of `fairlead fleet`: one module each, loaded when it is used."""
