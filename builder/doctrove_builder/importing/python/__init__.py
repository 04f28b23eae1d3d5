"""Packages of Python read statically through griffe: nothing of them is imported or executed."""
