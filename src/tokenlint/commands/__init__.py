"""One file a subcommand: parsed arguments, a pure call, a result to report."""
