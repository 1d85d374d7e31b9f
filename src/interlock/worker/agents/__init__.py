"""Agents that a worker can ask: one interface, a module for each kind."""
