"""What holds for every test: hypothesis counts no milliseconds, for a busy machine is no fault, and it tries the same
cases every time; other ones with DOUBTABLE_LONG=1.
"""

import os

from hypothesis import settings

settings.register_profile("doubtable", deadline=None, derandomize=not os.environ.get("DOUBTABLE_LONG"))
settings.load_profile("doubtable")
