"""The documents of a ticket and what is asked of models about them: pure, no store, no service."""
