"""The Model Context Protocol through the official SDK: the one package here that imports it."""
