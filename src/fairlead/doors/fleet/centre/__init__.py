"""Those who publish, watch and list: where the keys of a fleet and the list of its machines are."""
