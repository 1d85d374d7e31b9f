"""Execution: what models answer and workers report of a ticket that is built, and judgements."""
