"""Tools for those who change Interlock: house rules, benchmarks, documentation, mutants.

Nothing under src/ may import from here, and nothing here is installed with the package.
"""
