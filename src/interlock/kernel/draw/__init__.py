"""Drawings as text, part of floor 1: pure, made from the tables, in two languages.

``sketch`` says what is drawn (boxes, nodes, arrows), ``interlock`` adds what ties the machines
together, ``route`` marks where a thing stands or how it came there; ``mermaid`` and ``dot`` write
that down. Pixels are made elsewhere (``interlock.picture``).
"""
