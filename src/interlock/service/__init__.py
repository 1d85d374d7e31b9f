"""Floor 3: one file a verb. Load, decide, commit, wake; nothing here knows a particular workflow.

Doors, commands and the composition root may import it; stores may not.
"""
