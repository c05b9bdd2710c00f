"""What clients do to services: containers, clusters, clouds, code hosts, other machines."""
