"""What goes wrong in practice: a dependency that is not there."""

import acme_has_no_such_module  # noqa: F401
