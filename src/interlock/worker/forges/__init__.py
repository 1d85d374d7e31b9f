"""Forges: where requests to merge are opened and merged. One interface, a module for each kind."""
