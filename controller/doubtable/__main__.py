"""`python -m doubtable`."""

import sys

from doubtable.cli import main

sys.exit(main())
