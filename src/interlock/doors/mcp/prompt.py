"""The prompts: how to work with plans, missions and tickets, in files of their own, one a prompt.

The first line of a file is its description; ``{{name}}`` stands for an argument. A client may
install them as skills.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptResult,
    ListPromptsResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

FOLDER: Final = Path(__file__).parent / "prompts"

ARGUMENTS: Final[dict[str, tuple[tuple[str, str, bool], ...]]] = {
    "research": (("question", "What is to be found out.", True),),
    "research-scan": (("question", "What is to be found out.", True),),
    "research-deep": (("question", "What is to be found out.", True),),
    "research-output": (("plan_id", "The plan whose findings are written up.", True),),
    "mission": (("goal", "What is to be reached.", True),),
    "mission-hop": (("mission_id", "The mission; else one that waits for a hop.", False),),
    "mission-resolve": (("mission_id", "The mission; else whichever hop is handed out.", False),),
    "ticket": (("idea", "What is to be built.", True),),
    "ticket-work": (
        ("member", "The member of the council you are; else whoever is asked.", False),
    ),
    "resume": (("plan_id", "The plan to go on with; else the one that changed last.", False),),
}
"""The prompts in their order, and for each its arguments: name, meaning, whether it is needed."""


@dataclass(frozen=True, slots=True)
class Text:
    """A prompt as its file has it."""

    description: str
    body: str


@cache
def text(name: str) -> Text:
    """Read a prompt's file."""
    first, _, rest = (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition("\n")
    return Text(first.strip(), rest.strip() + "\n")


def list_prompts() -> ListPromptsResult:
    """List the prompts with their arguments."""
    prompts = [
        Prompt(
            name=name,
            description=text(name).description,
            arguments=[
                PromptArgument(name=one, description=doc, required=is_needed)
                for one, doc, is_needed in arguments
            ],
        )
        for name, arguments in ARGUMENTS.items()
    ]
    return ListPromptsResult(prompts=prompts)


def get_prompt(name: str, given: dict[str, str]) -> GetPromptResult:
    """Return a prompt with its arguments filled in; raises where one is missing or unknown."""
    wanted = ARGUMENTS.get(name)
    if wanted is None:
        message = f"There is no prompt {name[:80]!a}; there are {', '.join(ARGUMENTS)}."
        raise MCPError(code=INVALID_PARAMS, message=message)
    missing = [one for one, _, is_needed in wanted if is_needed and not given.get(one, "").strip()]
    if missing:
        message = f"The prompt {name} needs {', '.join(missing)}."
        raise MCPError(code=INVALID_PARAMS, message=message)
    found = text(name)
    body = found.body
    for one, _, _ in wanted:
        body = body.replace(f"{{{{{one}}}}}", given.get(one, "").strip() or "(not given)")
    said = PromptMessage(role="user", content=TextContent(type="text", text=body))
    return GetPromptResult(description=found.description, messages=[said])
