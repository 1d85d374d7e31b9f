"""The benchmark: our kernel beside state-machine libraries, in one run on one machine.

Figures are ratios against a floor measured in the same run; no test asserts a time.
"""
