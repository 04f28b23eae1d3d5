"""Documentation of Sphinx: what a build wrote, or its reStructuredText sources without a build."""
