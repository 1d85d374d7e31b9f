"""The agent's own ``.git``: made anew before each session, for its convenience alone.

It stands on the ticket's branch with a clean index and borrows the vault's objects. We never read
it again: whatever an agent commits, configures or plants there counts for nothing.
"""

from pathlib import Path
from typing import Final

from interlock.worker.workspace.removal import remove
from interlock.worker.workspace.scan import DOT_GIT, TICKET
from interlock.worker.workspace.vault import copy_index

CONFIG: Final = (
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
    "\tautocrlf = false\n[user]\n\tname = agent\n\temail = agent@localhost\n[gc]\n\tauto = 0\n"
)


def make_anew(tree: Path, branch: str, commit: str, objects: Path, index: Path) -> None:
    """Throw away what is called ``.git`` in a tree, and lay out another one."""
    place = tree / DOT_GIT
    remove(place)
    ref = place / "refs" / "heads" / branch
    for folder in (place / "objects" / "info", place / "objects" / "pack", place / "info"):
        folder.mkdir(parents=True)
    ref.parent.mkdir(parents=True)
    ref.write_text(f"{commit}\n", encoding="ascii")
    (place / "objects" / "info" / "alternates").write_text(f"{objects.absolute()}\n")
    (place / "config").write_text(CONFIG, encoding="ascii")
    (place / "info" / "exclude").write_text(f"/{TICKET}\n", encoding="ascii")
    copy_index(index, place / "index")
    # The last one: until it is there, git takes the folder for nothing.
    (place / "HEAD").write_text(f"ref: refs/heads/{branch}\n", encoding="ascii")
