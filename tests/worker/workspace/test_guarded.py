"""Configuration of agents: known wherever it lies and however it is spelled; words are not."""

import pytest

from interlock.worker.workspace.guarded import guarded_part, is_guarded_name


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (".claude/settings.json", ".claude"), (".CLAUDE/x/y", ".CLAUDE"), (".mcp.json", ".mcp.json"),
        ("a/b/.mcp.json", "a/b/.mcp.json"), (".gemini/settings.json", ".gemini"),
        (".opencode/plugin/x.ts", ".opencode"), ("opencode.json", "opencode.json"),
        ("opencode.jsonc", "opencode.jsonc"), (".codex/config.toml", ".codex"),
        ("web/.cursor/mcp.json", "web/.cursor"), ("CLAUDE.local.md", "CLAUDE.local.md"),
        (".vscode/mcp.json", ".vscode/mcp.json"), ("a/.vscode/tasks.json", "a/.vscode/tasks.json"),
    ],
)  # fmt: skip
def test_what_could_start_a_program_is_guarded(path: str, part: str) -> None:
    assert guarded_part(path) == part


@pytest.mark.parametrize(
    "path",
    ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "src/claude.py", "mcp.json", "docs/.vscode.md",
     ".vscode/extensions.json", "tasks.json", ".github/workflows/ci.yml", "claude/x"],
)  # fmt: skip
def test_words_and_code_are_not(path: str) -> None:
    assert guarded_part(path) == ""


def test_a_name_is_judged_by_its_folder() -> None:
    assert is_guarded_name("mcp.json", ".vscode")
    assert not is_guarded_name("mcp.json", "")
