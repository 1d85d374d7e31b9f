"""The real MCP clients that our tests drive: which ones, which version, and where they lie."""
