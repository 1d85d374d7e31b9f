"""Where others went wrong with the documents of a ticket: damaged, stale, one-sided; on both stores."""

from interlock.ticketing import canonical
from tests.ideas.planning import brought, damage, errors_of, text_of
from tests.stage import ADA, PAT, Stage, staged
from tests.tickets import answer, claim, expansion, said, status_of

# -- damaged lines are hidden ------------------------------------------------------------------


@staged
async def test_a_document_that_is_damaged_is_said_to_be_so_and_nothing_is_made_of_it(
    stage: Stage,
) -> None:
    name = await brought(stage, "WAITING_BEADS_APPROVAL")
    other = await brought(stage, "SCANNING_RELEVANT_FILES")
    text = await text_of(stage, name, "beads")
    digest = canonical.digest(text)
    # The first bead is cut out: what is left is a good document, of less work.
    lines = text.splitlines(keepends=True)
    starts = [place for place, line in enumerate(lines) if line.startswith("- id:")] or [
        place for place, line in enumerate(lines) if line.lstrip().startswith("- id:")
    ]
    cut = "".join((*lines[: starts[0]], *lines[starts[1] :]))
    await damage(stage, digest, cut.encode())

    edit = text.replace("Do sell-apples", "Sell")
    told = {"ticket_id": name, "content": edit, "base_digest": digest}
    no = await stage.refused("save_artifact", PAT, **told)
    assert no.code == "CORRUPT_STATE"
    assert f"{digest} is damaged" in no.message
    no = await stage.refused("ticket_context", PAT, ticket_id=name)
    assert no.code == "CORRUPT_STATE"
    # Bytes that are no text are not put right either; the others go on.
    await damage(stage, digest, b"\xff" + text.encode())
    assert (await stage.refused("ticket_context", PAT, ticket_id=name)).code == "CORRUPT_STATE"
    assert (await status_of(stage, other))["phase"]["name"] == "SCANNING_RELEVANT_FILES"


@staged
async def test_a_document_that_cannot_be_read_is_refused_with_its_line(stage: Stage) -> None:
    name = await brought(stage, "WAITING_BEADS_APPROVAL")
    text = await text_of(stage, name, "beads")
    lines = text.splitlines(keepends=True)
    bad = "".join((*lines[:4], "  }{ torn\n", *lines[4:]))
    told = {"ticket_id": name, "base_digest": canonical.digest(text)}
    before = await stage.mark(name)
    no = await stage.refused("save_artifact", PAT, **told, content=bad)
    assert "Line 5" in no.message
    assert await stage.mark(name) == before


@staged
async def test_a_bead_that_an_expansion_leaves_out_is_missed(stage: Stage) -> None:
    name = await brought(stage, "VERIFYING_BEADS_COVERAGE")
    part = await claim(stage, name)
    held = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    less = {"status": "clean", "gaps": [], "expansion": expansion("sell-apples")}
    no = await stage.refused("submit_work", ADA, **held, answer=less)
    assert no.code == "ANSWER_INVALID"
    assert [one["path"] for one in errors_of(no)] == ["$.expansion"]
    await answer(stage, part, said(part["task"]))
    assert len((await status_of(stage, name))["beads"]) == 2


# -- blocks and blocked_by speak of different things -------------------------------------------


@staged
async def test_what_a_bead_blocks_is_what_is_blocked_by_it_whatever_is_said(stage: Stage) -> None:
    name = await brought(stage, "WAITING_BEADS_APPROVAL")
    document = canonical.read(await text_of(stage, name, "beads"))
    digest = canonical.digest(await text_of(stage, name, "beads"))
    beads = document["beads"]
    assert isinstance(beads, list)
    assert [(one["blocked_by"], one["blocks"]) for one in beads] == [
        ([], ["count-apples"]), (["sell-apples"], []),
    ]  # fmt: skip

    # One side is changed: the other follows it; and so do the beads that are worked on.
    beads[1]["blocked_by"] = []
    told = {"ticket_id": name, "base_digest": digest, "content": canonical.write(document)}
    await stage.call("save_artifact", PAT, **told)
    saved = canonical.read(await text_of(stage, name, "beads"))["beads"]
    assert isinstance(saved, list)
    assert [one["blocks"] for one in saved] == [[], []]
    assert not any("needs" in one for one in (await status_of(stage, name))["beads"])


@staged
async def test_one_sided_and_impossible_dependencies_of_an_expansion_are_refused(
    stage: Stage,
) -> None:
    name = await brought(stage, "VERIFYING_BEADS_COVERAGE", structured_retries=5)
    part = await claim(stage, name)
    held = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    for needs, path in (
        ((["count-apples"], ["sell-apples"]), "$.expansion[0].blocked_by"),
        (([], ["count-apples"]), "$.expansion[1].blocked_by"),
        (([], ["pears"]), "$.expansion[1].blocked_by"),
    ):
        rows = [
            one | {"blocked_by": need}
            for one, need in zip(expansion("sell-apples", "count-apples"), needs, strict=True)
        ]
        wrong = {"status": "clean", "gaps": [], "expansion": rows}
        no = await stage.refused("submit_work", ADA, **held, answer=wrong)
        assert any(one["path"].startswith(path) for one in errors_of(no)), no.details
    rows = [one | {"blocks": []} for one in expansion("sell-apples", "count-apples")]
    one_sided = {"status": "clean", "gaps": [], "expansion": rows}
    no = await stage.refused("submit_work", ADA, **held, answer=one_sided)
    assert {one["path"] for one in errors_of(no)} >= {"$.expansion[0].blocks"}
