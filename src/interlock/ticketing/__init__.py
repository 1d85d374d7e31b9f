"""The documents of a ticket: pure functions that check what was written and make what is kept.

Nothing here knows a store, a clock or a unit; whoever has those is on a floor above.
"""
