"""Mutation testing: change the code that decides, a place at a time; some test must fail.

``groups`` says what is changed and by which tests it is watched, ``workshop`` is where mutmut
changes it, ``verdicts`` what came of it, ``survivors`` why some may live, ``report`` the figures.
Rows of tables are taken out by ``tools.mutants``: a table is no code that mutmut would change.
"""
