"""Tools that can be run: what one is, which ones there are, and how one runs in a child process.

Who may run a tool, when, and what becomes of its result is not decided here.
"""
