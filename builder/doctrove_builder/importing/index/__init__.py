"""The kind `index`: a volume of another `doctrove-index@1`."""
