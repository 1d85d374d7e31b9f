"""Floor 5: the doors. Each parses, calls one verb, renders; none holds an opinion of its own."""
