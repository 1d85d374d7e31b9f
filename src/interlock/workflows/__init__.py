"""The rules, floor 2: the three built-in workflows as tables over the kernel, and no I/O.

One package a workflow, each with its machines, rules, interlock, and the scope that a check of
it covers; ``built_in`` lists them.
"""
