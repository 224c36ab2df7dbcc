"""Results to text: one file a format."""
