"""What runs in the separate process: Jinja2, the standard library, and nothing else of tokenlint.

The modules import one another relatively. The child knows this folder as a package of its own,
because `tokenlint.tokens` would bring the whole core into the sandbox and double its start.
"""
