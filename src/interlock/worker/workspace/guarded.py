"""Configuration of agents that lies in a repository: not believed, and no agent changes it.

Such a file can name programs that an agent starts by itself: hooks, servers of tools, plugins.
They are taken out of the tree before an agent runs, and are in the commit as they were. What an
agent puts there is told and left out. Texts for agents (AGENTS.md, CLAUDE.md) stay: they are words.
"""

from typing import Final

FOLDERS: Final = frozenset(
    {
        ".aider", ".amazonq", ".augment", ".claude", ".cline", ".clinerules", ".codex", ".continue",
        ".cursor", ".factory", ".gemini", ".goose", ".kiro", ".opencode", ".qwen", ".roo",
        ".windsurf",
    }
)  # fmt: skip
"""Whatever lies in a folder of this name, wherever in the tree: agents look above and below."""

FILES: Final = frozenset(
    {
        ".aider.conf.yml", ".claude.json", ".cursorrules", ".goosehints", ".mcp.json",
        ".roomodes", "claude.local.md", "opencode.json", "opencode.jsonc",
    }
)  # fmt: skip
"""Files of this name, wherever in the tree."""

ENDS: Final = ((".vscode", "mcp.json"), (".vscode", "settings.json"), (".vscode", "tasks.json"))
"""Files by the end of their path: beside them lies what is nobody's configuration."""


def is_guarded_name(name: str, above: str) -> bool:
    """Say whether a name in a folder is configuration of agents, or a folder full of it."""
    folded = name.casefold()
    return (
        folded in FOLDERS
        or folded in FILES
        or any(folded == last and above.casefold().endswith(folder) for folder, last in ENDS)
    )


def guarded_part(path: str) -> str:
    """Return the file or folder of a path that is configuration of agents, or nothing.

    Upper and lower case are the same.
    """
    parts = path.split("/")
    for place, name in enumerate(parts):
        if is_guarded_name(name, "/".join(parts[:place])):
            return "/".join(parts[: place + 1])
    return ""
