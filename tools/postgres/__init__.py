"""Real PostgreSQL servers for tests and benchmarks: find the programs, start, stop, kill.

``server`` is the place to begin; ``binaries`` finds the programs, ``account`` says who runs them,
``processes`` looks at what runs. Everything here is synchronous, and works inside a running loop.
"""
