"""The worker's own hands: working trees of tickets, and git. No model is asked here."""
