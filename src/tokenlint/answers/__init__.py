"""One module a command: parsed arguments become what is said and the exit code."""
