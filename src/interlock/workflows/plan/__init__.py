"""Research plans: plan > step. Floor 2; rules only, no I/O.

``machines`` has the two maps, ``rules`` what each event does, ``workflow`` the interlock and the
whole; ``transitions``, ``stalls`` and ``branching`` are the pure functions that are also the
public API (``interlock.plan``); ``scope`` says what the checker explores.
"""
