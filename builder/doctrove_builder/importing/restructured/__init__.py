"""reStructuredText to a document's tree through docutils, without a build and without Sphinx."""
