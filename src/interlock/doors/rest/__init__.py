"""The REST door: every command at its place under ``/v1``, and what is not a command beside them.

Routes, query parameters and the OpenAPI document are made from the rows of the commands. Nothing
here knows what a command means.
"""
