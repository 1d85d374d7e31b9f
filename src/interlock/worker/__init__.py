"""The worker: pulls work from a server, runs it, and hands in what came of it.

It knows the server only by its wire, so one beside the server and one on another machine run the
same code.
"""
