"""Floor 2: the shapes that pass through every door, checked by pydantic. No behaviour.

Commands, doors and clients may import it; the kernel, the stores and the service may not.
"""
