"""Where pointers, roles and bundles come from. Nothing that comes from there is believed here."""
