"""`python -m tokenlint`, without the folder that it is started in among those that are imported."""

import os
import sys

if not sys.flags.safe_path and sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109  (no import)
    del sys.path[0]  # a repository that is checked may hold a yaml.py of its own

from tokenlint.entry import run

if __name__ == "__main__":
    run()
