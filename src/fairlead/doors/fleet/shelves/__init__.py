"""Where a publisher puts pointers, roles and bundles: what sources read."""
