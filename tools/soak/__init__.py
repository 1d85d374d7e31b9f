"""The soak: a real server under a steady load for a long time, and nothing of it may grow.

``fill`` gives it all that it will remember, ``load`` calls as clients do, ``sample`` looks at the
process from outside, ``judge`` looks for slopes, ``run`` does all of it on one store. ``leaky`` is
the same server with a leak in it, which must be found.
"""
