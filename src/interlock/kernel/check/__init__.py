"""The checker: explore everything a workflow can do within bounds, and report what is unsound.

Part of the kernel, so pure as all of it. ``scope`` says what is explored, ``variants`` which
events are tried, ``space`` how states are kept, ``explore`` walks them with the same ``decide``
that the engine uses, ``judge`` looks for findings, ``report`` holds the result.
"""
