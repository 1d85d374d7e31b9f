"""The store on PostgreSQL: one trip to load, one to commit, row security under everything.

``store`` is the place to begin. Driver errors are translated here and are known to nobody else.
"""
