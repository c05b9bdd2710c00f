"""The subcommands of `fairlead bundle`: one module each, loaded when it is used."""
