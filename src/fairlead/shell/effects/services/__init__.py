"""What clients do to services: databases, clusters, clouds, registries, code hosts."""
