"""What a person is shown says all that matters, the same each time, and names the rest."""

import json

from interlock.commands.mission.shown import SHORT, Thing, digest_of, mission_shown

FIELDS = {"name": "n", "goal": "g", "description": "", "success_criteria": (), "policy": "human"}


def test_a_proposal_is_shown_with_its_assets_and_short_content() -> None:
    given = Thing("in", "what is given", {"type": "number"}, "1")
    shown = json.loads(mission_shown(FIELDS, [given], [Thing("out", "", None)], []))

    assert shown == {
        "title": "n", "goal": "g", "policy": "human", "outputs": [{"name": "out"}],
        "inputs": [{
            "name": "in", "description": "what is given", "schema": {"type": "number"},
            "content": 1, "content_digest": digest_of("1"),
        }],
    }  # fmt: skip


def test_long_content_is_named_by_its_digest_and_still_binds() -> None:
    first, second = (Thing("in", "", None, json.dumps(mark * SHORT)) for mark in "ab")

    assert "content" not in first.told()
    assert mission_shown(FIELDS, [first], [], []) != mission_shown(FIELDS, [second], [], [])


def test_an_asset_is_kept_with_its_content_by_digest() -> None:
    assert Thing("in", "", None).kept() == ()
    (kept,) = Thing("in", "", None, "1").kept()
    assert (kept.content, Thing("in", "", None, "1").fields()["content"]) == (b"1", digest_of("1"))
