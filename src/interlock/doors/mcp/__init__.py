"""The MCP door: tools, resources and prompts for AI clients, over stdio and streamable HTTP.

Everything here is made from the rows of the commands and speaks through the official SDK. What a
command does, who may call it and what is legal is decided below; the other doors know nothing of
this one.
"""
