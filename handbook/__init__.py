"""Makes the pages of `docs/` that repeat what the code says, and checks the site that is built of them."""
