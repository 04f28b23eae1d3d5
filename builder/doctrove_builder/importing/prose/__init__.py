"""A document as a tree, whatever it was written in, and the Markdown that it becomes."""
