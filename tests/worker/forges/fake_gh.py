"""A ``gh`` that is none: it records what it is asked, and answers as GitHub would, from a file.

The requests of its repository stand in a JSON file; a merge is really made in the bare repository
beside it. Run as a program: ``fake_gh.py FOLDER api --method M -H ... PATH [--input -]``.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

Told = dict[str, Any]
SLUG: Final = "ann/shop"
NOT_LOGGED_IN: Final = 4


def install(folder: Path, bare: Path, **more: object) -> Path:
    """Make a folder for PATH with a gh in it; return it."""
    where = folder / "bin"
    where.mkdir()
    world = {"bare": str(bare), "pulls": [], "may_push": True, "logged_in": True, "drafts": True}
    (where / "world.json").write_text(json.dumps(world | more))
    gh = where / "gh"
    gh.write_text(f"#!/bin/sh\nexec '{sys.executable}' -I '{__file__}' '{where}' \"$@\"\n")
    gh.chmod(0o755)
    return where


def world(folder: Path) -> Told:
    """Return what the fake knows."""
    found: Told = json.loads((folder / "world.json").read_text())
    return found


def change(folder: Path, **more: object) -> None:
    """Have something happen outside."""
    (folder / "world.json").write_text(json.dumps(world(folder) | more))


def calls(folder: Path) -> list[tuple[str, str]]:
    """Return what was asked: method and path, without the query."""
    path = folder / "calls.jsonl"
    rows = [json.loads(row) for row in path.read_text().splitlines()] if path.exists() else []
    return [(row["method"], urlsplit(row["path"]).path) for row in rows]


def bodies(folder: Path, method: str) -> list[Told]:
    """Return what was sent with calls of a method."""
    rows = [json.loads(row) for row in (folder / "calls.jsonl").read_text().splitlines()]
    return [row["body"] for row in rows if row["method"] == method]


class Fake:
    """One call."""

    def __init__(self, folder: Path) -> None:
        """Read the world."""
        self.folder = folder
        self.world = world(folder)

    def git(self, *words: str) -> str:
        """Run git in the repository of the fake."""
        line = ["git", "-C", self.world["bare"], *words]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()

    def answer(self, method: str, path: str, body: Told) -> tuple[int, object]:
        """Answer as GitHub would."""
        if not self.world["logged_in"]:
            return 401, {}
        url = urlsplit(path)
        words = url.path.split("/")
        if words[0] == "graphql":
            self.pull(body["variables"]["id"].removeprefix("node-"))["draft"] = False
            return 200, {"data": {}}
        if not words[3:]:
            return 200, {"permissions": {"push": self.world["may_push"]}}
        if words[3:] == ["pulls"]:
            return self.create(body) if method == "POST" else (200, self.found(url.query))
        return self.about(self.pull(words[4]), method, words[5:], body)

    def found(self, query: str) -> list[Told]:
        """Return the requests of a branch, the newest first."""
        head = parse_qs(query)["head"][0].partition(":")[2]
        rows = [self.seen(one) for one in self.world["pulls"]]
        return [one for one in rows if one["head"]["ref"] == head][::-1]

    def about(self, pull: Told, method: str, rest: list[str], body: Told) -> tuple[int, object]:
        """Answer what is asked of one request."""
        if rest == ["merge"]:
            return self.merge(pull, body)
        if method == "PATCH":
            pull.update(body)
        return 200, self.seen(pull)

    def pull(self, number: str) -> Told:
        """Return a request."""
        found: Told = self.world["pulls"][int(number) - 1]
        return found

    def seen(self, pull: Told) -> Told:
        """Return a request as it is told: its head is where its branch is."""
        head = pull["merged_head"] or self.git("rev-parse", f"refs/heads/{pull['branch']}")
        return {
            "number": pull["number"], "node_id": f"node-{pull['number']}", "title": pull["title"],
            "html_url": f"https://github.com/{SLUG}/pull/{pull['number']}",
            "state": pull["state"], "draft": pull["draft"], "body": pull["body"],
            "head": {"ref": pull["branch"], "sha": head}, "base": {"ref": pull["base"]},
            "merged": bool(pull["merged_head"]), "merge_commit_sha": pull["merge_commit"],
            "merged_at": "2026-01-01T00:00:00Z" if pull["merged_head"] else None,
        }  # fmt: skip

    def create(self, body: Told) -> tuple[int, object]:
        """Open a request."""
        if body["draft"] and not self.world["drafts"]:
            message = "Draft pull requests are not supported in this repository."
            return 422, {"message": "Validation Failed", "status": "422", "errors": [message]}
        made = {
            "number": len(self.world["pulls"]) + 1, "state": "open", "branch": body["head"],
            "base": body["base"], "draft": body["draft"], "title": body["title"],
            "body": body["body"], "merged_head": "", "merge_commit": "",
        }  # fmt: skip
        self.world["pulls"].append(made)
        return 201, self.seen(made)

    def merge(self, pull: Told, body: Told) -> tuple[int, object]:
        """Merge it for real, if the head is the one that is meant."""
        head = self.seen(pull)["head"]["sha"]
        if body["sha"] != head:
            message = "Head branch was modified. Review and try the merge again."
            return 409, {"message": message, "status": "409"}
        if pull["merged_head"] or pull["draft"]:
            return 405, {"message": "Pull Request is not mergeable", "status": "405"}
        base = self.git("rev-parse", f"refs/heads/{pull['base']}")
        tree = self.git("merge-tree", "--write-tree", base, head)
        identity = ("-c", "user.name=hub", "-c", "user.email=hub@example.org")
        commit = self.git(
            *identity, "commit-tree", tree, "-p", base, "-p", head, "-m", f"Merge {pull['number']}"
        )
        self.git("update-ref", f"refs/heads/{pull['base']}", commit)
        pull |= {"merged_head": head, "merge_commit": commit, "state": "closed"}
        return 200, {"merged": True, "sha": commit}


def main() -> None:
    """Answer one call."""
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    method, path = words[words.index("--method") + 1], words[5]
    body = json.loads(sys.stdin.read() or "null") if "--input" in words else {}
    with (folder / "calls.jsonl").open("a") as file:
        file.write(json.dumps({"method": method, "path": path, "body": body}) + "\n")
    fake = Fake(folder)
    status, document = fake.answer(method, path, body)
    (folder / "world.json").write_text(json.dumps(fake.world))
    if status == 401:
        sys.stderr.write("To get started with GitHub CLI, please run:  gh auth login\n")
        sys.exit(NOT_LOGGED_IN)
    sys.stdout.write(json.dumps(document))
    if status >= 400:
        sys.stderr.write(f"gh: HTTP {status}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
