"""Bind parsed volumes together: inheritance, order, links; then the index and the site."""
