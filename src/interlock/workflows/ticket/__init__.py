"""Coding tickets: ticket > bead, and assignment. Floor 2; rules only, no I/O.

``phases`` is the inventory that drives everything else; ``machine``, ``bead`` and ``assignment``
have the three maps; ``council`` and ``coverage`` say how a round and an audit end; ``guards`` what
is refused and why; the ``*_rules`` what each event does; ``pairs`` what may stand together;
``workflow`` is the whole, and ``scope`` what the checker explores of it.
"""
