"""The worker's hands on a ticket: from the check before coding to the clean-up, a module a task."""
