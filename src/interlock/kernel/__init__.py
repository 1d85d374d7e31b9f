"""The kernel, floor 1: pure, standard library only; no clock, no I/O, no logging, no async.

It knows statuses, edges, rules and how they interlock, and nothing of any particular workflow.
Everything above may import it; it imports ``interlock.errors`` alone.
"""
