"""The benchmark: kernel beside state-machine libraries, engine beside plain loops, MCP beside ok.

The engine's floors write the same rows into the same tables, durably, and decide nothing. Figures
are ratios against a floor measured in the same run, round by round; no test asserts a time.
"""
