"""``interlock demo``: one unit of each workflow from start to end, every move with its cause.

Nothing is loaded here: the worker loads the tools of the demo's mission from this package.
"""
