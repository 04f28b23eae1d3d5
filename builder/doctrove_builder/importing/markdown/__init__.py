"""Markdown trees of MkDocs, Docusaurus, VitePress, wikis and plain folders to pages."""
