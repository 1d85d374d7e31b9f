"""The store: tables, SQL and what reads and writes them; two databases, one behaviour.

It stands on the floor of wire, workflows and config and may know only the kernel, the errors and
the clock below. The service and the floors above it may import it; nothing else does. What a
change means is decided in the kernel, never here.
"""
