"""The store on PostgreSQL: one trip to load, one to commit, row security under everything."""
