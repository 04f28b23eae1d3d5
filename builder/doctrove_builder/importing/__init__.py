"""Importers: documentation that already exists becomes volumes; nothing of it is ever executed."""
