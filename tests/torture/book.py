"""The book of a run, ``torture.json``: what was tried so far, and what it comes to in all."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.torture.frame import Campaign


class Book:
    """What a run has done; every leg is on the disk before the next is told of."""

    def __init__(self, path: Path, run: Mapping[str, object]) -> None:
        """Go on with the book of the same run, else begin a new one."""
        self.path = path
        self.run = dict(run)
        self.legs: dict[str, dict[str, Any]] = {}
        if path.exists():
            old = json.loads(path.read_text(encoding="utf-8"))
            if old.get("run") == self.run:
                self.legs = old["legs"]

    def add(self, key: str, told: dict[str, Any], campaigns: Mapping[str, Campaign]) -> None:
        """Write a leg down."""
        self.legs[key] = told
        whole = {"run": self.run, "sums": self.sums(campaigns), "legs": self.legs}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        new.replace(self.path)

    def sums(self, campaigns: Mapping[str, Campaign]) -> dict[str, dict[str, Any]]:
        """Return, for each campaign: how much was tried, what was broken, found and caught."""
        return {name: self._sum(one) for name, one in campaigns.items()}

    def _sum(self, campaign: Campaign) -> dict[str, Any]:
        counts: Counter[str] = Counter()
        faults: Counter[str] = Counter()
        findings: list[str] = []
        bugs: dict[str, bool] = {}
        for told in self.legs.values():
            if told["campaign"] != campaign.name:
                continue
            if "bug" in told:
                bugs[told["bug"]] = told["caught"]
                continue
            counts.update(told["counts"])
            faults.update(told["faults"])
            findings += [f"{finding} ({told['run again']})" for finding in told["findings"]]
        return {
            "promises": campaign.promises, "tried": counts[campaign.counted],
            "counted": campaign.counted, "long": campaign.long, "counts": counts, "faults": faults,
            "findings": findings, "bugs": bugs, "lacks": campaign.lacks(),
        }  # fmt: skip
