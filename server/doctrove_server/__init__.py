"""What an index is asked: sources, ranking, the MCP server and the static host. Builds nothing."""
