"""What a ticket changes: all together, bead by bead, file by file; long ones are cut and quick."""

from time import perf_counter

from tests.doors.web.test_account import entered
from tests.doors.web.ticket.built import coding, prepared, report, reported, reviewing
from tests.stage import Stage, staged

SLOW_S = 2.0


@staged
async def test_changes_are_shown_bead_by_bead_until_there_is_a_final_commit(stage: Stage) -> None:
    name = await coding(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/diff")
    assert "Bead 1" in browser.text
    assert '<span class="tok-name">sell</span>' in browser.text
    assert '<div class="ins"><ins>+' in browser.text
    await browser.get(f"/units/{name}/diff?of=net")
    assert "There is no final commit yet." in browser.text
    await browser.get(f"/units/{name}/diff?bead=1&attempt=1")
    assert "What bead 1 changes" in browser.text
    for wrong in ("?bead=9", "?bead=1&attempt=7", "?of=nothing", "?bead=2"):
        await browser.get(f"/units/{name}/diff{wrong}")
        assert browser.status == 404, wrong


@staged
async def test_the_final_commit_is_shown_first_once_there_is_one(stage: Stage) -> None:
    name = await reviewing(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/diff")

    assert 'aria-current="page">All together' in browser.text
    assert "test_shop.py" in browser.text
    assert "Bead 1" not in browser.text


@staged
async def test_file_by_file_says_which_beads_have_touched_it(stage: Stage) -> None:
    name = await reviewing(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/diff?of=files")
    assert "beads 1, 2" in browser.text
    await browser.get(f"/units/{name}/diff?of=files&file=shop.py")

    assert browser.text.count('class="patch"') == 2
    assert "test_sell" not in browser.text


@staged
async def test_a_diff_of_300_kb_is_cut_with_a_word_and_shown_in_time(stage: Stage) -> None:
    name = await prepared(stage)
    lines = "".join(f"+    value_{n} = call('text', {n})  # why not\n" for n in range(7_000))
    head = "diff --git a/big.py b/big.py\n--- /dev/null\n+++ b/big.py\n@@ -0,0 +1,7000 @@\n"
    whole = (head + lines)[:300_000]
    await reported(stage, name, lambda task: report(task, diff=whole, diff_cut=True))
    browser = await entered(stage)
    for path in (f"/units/{name}/diff?bead=1", f"/units/{name}/beads/1", f"/units/{name}"):
        begun = perf_counter()
        await browser.get(path)
        assert browser.status == 200
        assert perf_counter() - begun < SLOW_S, path
    await browser.get(f"/units/{name}/diff?bead=1")

    assert "more lines are left out here" in browser.text
    assert "The whole is longer" in browser.text
    assert '<details class="patch" id="patch-1">' in browser.text
