"""Seeing inside: logs, traces and figures, for whoever runs a server. Nothing here decides."""
