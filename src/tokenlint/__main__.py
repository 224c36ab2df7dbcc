"""`python -m tokenlint`."""

from tokenlint.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
