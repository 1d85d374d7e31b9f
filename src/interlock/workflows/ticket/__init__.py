"""Coding tickets: ticket > bead, and assignment. Floor 2; rules only, no I/O.

``phases`` is the inventory that drives everything else; ``machine``, ``bead`` and ``assignment``
have the three maps; ``guards`` what is refused and why; ``council`` how a round ends; the
``*_rules`` what each event does; ``pairs`` what may stand together; ``workflow`` the whole;
``scope`` says what the checker explores.
"""
