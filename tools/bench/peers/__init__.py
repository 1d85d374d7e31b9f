"""Peers: other programs that keep the place of long work, measured on the same databases.

Each runs in an environment and a process of its own (``*_peer``, spoken to by ``child``), so that
ours stays as clean as it is shipped. ``roster`` says who there is, ``handle`` starts them,
``contest`` lets them play in turn with us and with the floors.
"""
