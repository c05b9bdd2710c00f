"""What each system does in its own way: one module per system, all with the same functions.

    from fairlead.platforms import here

Nothing outside this room asks which system it is on, or uses what only one of them has.
"""

from __future__ import annotations

import sys

if sys.platform == "linux":
    from fairlead.platforms import linux as here
elif sys.platform == "darwin":
    from fairlead.platforms import macos as here
else:
    from fairlead.platforms import other as here

__all__ = ["here"]
