"""The kind `devdocs`: a documentation set of DevDocs."""
