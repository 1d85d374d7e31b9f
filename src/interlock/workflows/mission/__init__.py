"""Missions: mission > hop > tool_step, and the assets they make. Floor 2; rules only, no I/O.

``machines`` has the four maps; ``mission_rules``, ``hop_rules``, ``resolution_rules``,
``tool_rules`` and ``asset_rules`` say what each event does, with the guards they share in
``guards``; ``failures`` knows which failure is retried and which can be repaired; ``workflow``
ties it all together and ``scope`` says what the checker explores.
"""
