"""The command line, floor 7: parses, calls, shows. It holds no rule of its own."""
