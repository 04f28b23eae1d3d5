"""The kind `openapi`: a description of an HTTP API, a section for each of its operations."""
