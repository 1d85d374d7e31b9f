"""Floor 4: one row a command. Doors, the command line and the docs are made from these rows.

Nouns live here: what a plan is called, what its answers say. Nothing here moves a status: that
is the service's ``advance``.
"""
