"""What an agent should never do, as commands of the shell: to try what comes of it.

Each runs in the working tree, in a contained process like any other agent. What plants something
plants a canary: whoever runs what was planted writes its name into ``canary`` in the agent's home.
None of it leaves the folders of the ticket, whatever goes wrong.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

OWN: Final = "git -c user.name=agent -c user.email=agent@localhost"
BIRD: Final = """
bird="$HOME/bird-$name"
printf '#!/bin/sh\\necho %s >> "%s"\\ncat 2>/dev/null\\nexit 0\\n' "$name" "$HOME/canary" > "$bird"
chmod +x "$bird"
"""
"""Makes a program that sings when it is run, and passes on what it is given."""

SCRIPTS: Final[Mapping[str, str]] = {
    "lies": "true",
    "unasked": "echo 'Nobody has asked for this.' > unasked.txt",
    "dirty_index": "echo dirt > dirt.txt; git add dirt.txt; rm dirt.txt; : > .git/index.lock",
    "never_ends": "trap '' TERM INT HUP; while :; do sleep 0.2; done",
    "floods": "yes 'a flood of words' | head -c 60000000; yes 'and more' | head -c 9000000 >&2",
    "daemon": """
        setsid sh -c 'trap "" TERM HUP INT; echo $$ > "$HOME/daemon.pid"
          while :; do echo on >> "$HOME/daemon.log"; sleep 0.1; done' </dev/null >/dev/null 2>&1 &
        while ! [ -s "$HOME/daemon.pid" ]; do sleep 0.02; done
        """,
    "commits": f"echo own > own.txt; git add own.txt; {OWN} commit -qm 'I do it myself'",
    "rewrites_git": f"rm -rf .git; git init -q .; {OWN} commit -q --allow-empty -m 'A new start'",
    "hooks": BIRD
    + """
        mkdir -p .git/hooks
        for hook in pre-commit commit-msg post-commit post-checkout pre-push post-index-change \\
            reference-transaction post-merge pre-merge-commit post-rewrite; do
          cp "$bird" ".git/hooks/$hook"
        done
        git config core.hooksPath "$PWD/.git/hooks"
        """,
    "filters": BIRD
    + """
        printf '* filter=song diff=song merge=song\\n' > .git/info/attributes
        git config filter.song.clean "$bird"; git config filter.song.smudge "$bird"
        git config diff.song.textconv "$bird"; git config diff.external "$bird"
        git config merge.song.driver "$bird"
        """,
    "attributes": BIRD
    + """
        printf '* filter=song diff=song\\n' > .gitattributes
        git config filter.song.clean "$bird"; git config filter.song.smudge "$bird"
        git config diff.song.textconv "$bird"
        """,
    "fsmonitor": BIRD + 'git config core.fsmonitor "$bird"; git config core.untrackedCache true',
    "config": BIRD
    + """
        git config core.sshCommand "$bird"; git config core.editor "$bird"
        git config core.pager "$bird"; git config gpg.program "$bird"
        git config commit.gpgSign true; git config core.worktree "$HOME"
        git config alias.status "!$bird"; git config uploadpack.packObjectsHook "$bird"
        """,
    "submodules": f"""
        git init -q nested; echo inside > nested/file; git -C nested add file
        {OWN} -C nested commit -qm nested
        printf '[submodule "nested"]\\n\\tpath = nested\\n\\turl = ./nested\\n' > .gitmodules
        """,
    "symlinks": """
        ln -s /etc/passwd passwd; ln -s "$HOME" home
        rm -rf .ticket; ln -s "$HOME" .ticket; mv .git "$HOME/elsewhere.git"
        ln -s "$HOME/elsewhere.git" .git
        """,
    "options": """
        : > ./-rf; : > './--upload-pack=true'; : > './--exec=true'
        head=$(git rev-parse HEAD); mkdir -p .git/refs/heads
        echo "$head" > '.git/refs/heads/--upload-pack=true'
        echo 'ref: refs/heads/--upload-pack=true' > .git/HEAD
        """,
    "newlines": ": > \"$(printf 'two\\nlines')\"; : > \"$(printf 'a\\ttab')\"",
    "deletes_tree": 'rm -rf "$PWD"',
}

MISBEHAVIOUR: Final[Mapping[str, str]] = MappingProxyType({
    name: f"name={name}\n{script.strip()}" for name, script in SCRIPTS.items()
})  # fmt: skip
"""By its name, what an agent does that it should not."""
