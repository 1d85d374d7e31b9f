"""Everything that can be said to a mission, its hops, its tool steps and its assets."""
