"""The card of a gate: told of to whom shows cards, text only, and deciding only where that is so."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp_types import TextResourceContents
from playwright.async_api import expect

from interlock.doors.mcp.card import SHOWN_BY, URI, card
from interlock.doors.mcp.cost import tokens
from interlock.doors.mcp.tools import toolset, toolsets
from tests.browser.chrome import Chrome
from tests.doors.mcp.clients import ERAS, on, over_http, over_stdio, serving
from tests.doors.mcp.host import Host, hosting
from tests.stage import PAT, Stage, opened, staged

EVIL = (
    '<img src="http://evil.test/x" onerror="parent.postMessage(1);alert(1)"><script>alert(2)</script>'
    "<svg onload=alert(3)></svg><a href='javascript:alert(4)'>x</a> \u202egnp.exe\u200b"
)
TOOLSETS = ("all", "research")


@staged
@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("name", toolsets())
async def test_who_shows_cards_is_told_of_them_and_nobody_else(
    stage: Stage, mode: str, name: str
) -> None:
    async with on(stage, name=name, mode=mode) as client:
        plain = (await client.list_tools()).tools
    async with on(stage, name=name, mode=mode, cards=True) as client:
        carded = (await client.list_tools()).tools
        again = (await client.list_tools()).tools
        listed = (await client.list_resources()).resources
        (content,) = (await client.read_resource(URI)).contents

    assert plain == list(toolset(name).tools)
    assert all(tool.meta is None for tool in plain)
    assert [one.model_copy(update={"meta": None}) for one in carded] == plain
    assert {one.name: one.meta for one in carded if one.meta} == {
        one.name: {"ui": {"resourceUri": URI}} for one in plain if one.name in SHOWN_BY
    }
    assert carded == again
    assert URI not in [resource.uri for resource in listed]
    assert isinstance(content, TextResourceContents)
    assert (content.uri, content.mime_type) == (URI, "text/html;profile=mcp-app")
    assert content.meta == {"ui": {"prefersBorder": True}}
    assert content.text == card(name)


@staged
async def test_the_server_says_that_it_has_cards(stage: Stage) -> None:
    async with on(stage, mode="auto") as client:
        assert client.server_capabilities.extensions == {"io.modelcontextprotocol/ui": {}}


def test_the_list_costs_a_model_what_it_did() -> None:
    listed = [one.model_dump_json(by_alias=True, exclude_none=True) for one in toolset("all").tools]

    assert not any("_meta" in one for one in listed)
    assert tokens("research") <= 5_500


@pytest.mark.parametrize("name", toolsets())
def test_every_tool_that_the_card_calls_is_offered_where_it_is_shown(name: str) -> None:
    takes = {tool.name: tool.input_schema for tool in toolset(name).tools}
    text = card(name)
    read, by, decide = (
        text.partition(f'data-{one}="')[2].partition('"')[0] for one in ("read", "by", "decide")
    )

    assert {read, decide} <= set(takes)
    assert by in takes[read]["properties"]
    assert {"gate_id", "decision", "feedback", "answers", "content_digest"} <= set(
        takes[decide]["properties"]
    )


def test_a_card_is_whole_and_asks_nobody_for_anything() -> None:
    text = card("all")

    assert "%" not in text.partition("<style>")[0].replace("100%", "")
    assert text.count("</script>") == text.count("</style>") == 1
    assert "://" not in text.replace("https?:\\/\\/", "")
    assert "innerHTML" not in text


async def named(connecting: AbstractAsyncContextManager[Client]) -> list[str]:
    """Return the tools that are listed with a card."""
    async with connecting as client:
        return [tool.name for tool in (await client.list_tools()).tools if tool.meta]


@pytest.mark.parametrize("mode", ERAS)
def test_a_real_server_tells_of_cards_to_whom_shows_them(tmp_path: Path, mode: str) -> None:
    with serving(tmp_path) as server:
        for cards in (True, False):
            found = asyncio.run(named(over_http(server, mode=mode, cards=cards)))
            # Of an older client nothing is known here any more: each is told.
            assert found == (["request_user_review"] if cards or mode == "legacy" else [])

    for cards in (True, False):
        found = asyncio.run(named(over_stdio(tmp_path, mode=mode, cards=cards)))
        assert found == (["request_user_review"] if cards else [])


Story = Callable[[Stage, Host], Awaitable[None]]
Played = Callable[..., None]


@pytest.fixture
def played(tmp_path: Path, chrome: Chrome) -> Played:
    """Return what plays a story with a stage, and a host that shows the cards of a toolset."""

    async def play(name: str, story: Story, mode: str) -> None:
        async with opened(tmp_path / "interlock.db") as bare:
            stage = replace(bare, engine=replace(bare.engine, site="https://agents.example"))
            connecting = on(stage, name=name, mode=mode, cards=True)
            async with connecting as client, hosting(chrome.browser, client) as host:
                await story(stage, host)
                assert (host.requests, host.popped) == ([], [])

    def now(name: str, story: Story, mode: str = ERAS[1]) -> None:
        chrome.play(play(name, story, mode))

    return now


async def asked(stage: Stage, host: Host, theme: str = "light", **more: object) -> str:
    """Have an agent ask for a review, and show its card; return the plan."""
    plan = await stage.plan(
        2, **({"review_policy": more.pop("policy")} if "policy" in more else {})
    )
    step, lease = await stage.claim(plan)
    given = {"step_id": step, "lease": lease, "summary": "I found it.", "questions": ["Is it so?"]}
    await host.show("request_user_review", {**given, **more}, theme=theme)
    return plan


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("name", TOOLSETS)
def test_a_person_decides_in_the_card_where_the_policy_lets_an_agent_relay(
    played: Played, name: str, mode: str
) -> None:
    async def story(stage: Stage, host: Host) -> None:
        plan = await asked(stage, host, result={"price": 7})
        card = host.card
        await expect(card.get_by_role("status")).to_have_text("This waits for a decision.")
        await expect(card.locator("h2")).to_have_text(["Summary", "Draft"])
        await expect(card.get_by_text("I found it.", exact=True)).to_be_visible()
        await expect(card.get_by_text('"price": 7')).to_be_visible()
        (gate,) = await stage.engine.store.gates.of_unit("home", plan)
        await expect(card.locator("#digest code")).to_have_text(gate.digest)
        await card.get_by_label("Is it so?").fill("It is.")

        await card.get_by_role("button", name="modify").click()
        await expect(card.get_by_role("alert")).to_have_text(
            "This decision needs feedback. Send feedback that says why."
        )
        assert await stage.standing(plan) == "awaiting_review: awaiting_input pending"
        await expect(card.get_by_label("Is it so?")).to_have_value("It is.")
        await card.get_by_label("Feedback").fill("More.")
        await card.get_by_role("button", name="modify").focus()
        await host.page.keyboard.press("Enter")
        await expect(card.get_by_role("status")).to_have_text("This was decided: modify.")
        await expect(card.get_by_role("button")).to_have_count(0)

        assert await stage.standing(plan) == "executing: in_progress pending"
        (told,) = [one for one in await stage.audit(plan) if one.get("decision")]
        assert (told["decision"], told["feedback"], told["answers"]) == (
            "modify",
            "More.",
            ["It is."],
        )
        (context,) = host.said("ui/update-model-context")
        assert f"decided modify at the gate {gate.id}" in context["content"][0]["text"]
        assert host.said("ui/notifications/size-changed")

    played(name, story, mode)


@pytest.mark.parametrize("name", TOOLSETS)
def test_where_a_person_must_decide_the_card_shows_the_way_and_no_button(
    played: Played, name: str
) -> None:
    async def story(stage: Stage, host: Host) -> None:
        plan = await asked(stage, host, policy="human")
        card = host.card
        await expect(card.get_by_text("A person decides this on its own page")).to_be_visible()
        await expect(card.get_by_text("- Is it so?")).to_be_visible()
        names = await card.get_by_role("button").all_text_contents()
        (gate,) = await stage.engine.store.gates.of_unit("home", plan)
        await expect(card.locator("#url")).to_have_text(f"https://agents.example/gates/{gate.id}")
        await card.get_by_role("button").click()
        await expect(card.get_by_role("alert")).to_be_hidden()

        assert names == ["Open the page of this gate"]
        assert host.said("ui/open-link") == [{"url": f"https://agents.example/gates/{gate.id}"}]
        assert [one["name"] for one in host.said("tools/call")] == [
            "get_gate" if name == "all" else "get_plan_status"
        ]

    played(name, story)


def test_a_card_that_is_lied_to_is_refused_by_the_server(played: Played) -> None:
    async def story(stage: Stage, host: Host) -> None:
        plan = await stage.plan(1, review_policy="human")
        step, lease = await stage.claim(plan)
        await stage.call("request_user_review", step_id=step, lease=lease, summary="Look.")
        (gate,) = await stage.engine.store.gates.of_unit("home", plan)
        await host.show("get_gate", {"gate_id": gate.id}, policy="relay")
        await host.card.get_by_role("button", name="approve").click()

        await expect(host.card.get_by_role("alert")).to_contain_text("person")
        assert await stage.standing(plan) == "awaiting_review: awaiting_input"
        assert host.said("ui/update-model-context") == []

    played("all", story)


@pytest.mark.parametrize("name", TOOLSETS)
def test_what_was_decided_meanwhile_is_told_and_closes_the_card(played: Played, name: str) -> None:
    async def story(stage: Stage, host: Host) -> None:
        plan = await asked(stage, host)
        await expect(host.card.get_by_role("button", name="approve")).to_be_visible()
        (gate,) = await stage.engine.store.gates.of_unit("home", plan)
        await stage.call(
            "decide_gate", PAT, gate_id=gate.id, decision="skip", content_digest=gate.digest
        )
        await host.card.get_by_role("button", name="approve").click()

        await expect(host.card.get_by_role("alert")).to_contain_text("is closed: skip by user pat")
        await expect(host.card.get_by_role("button")).to_have_count(0)
        assert await stage.standing(plan) == "executing: skipped pending"

    played(name, story)


@pytest.mark.parametrize("name", TOOLSETS)
@pytest.mark.parametrize("policy", ["relay", "human"])
def test_nothing_of_the_content_becomes_markup(played: Played, name: str, policy: str) -> None:
    async def story(stage: Stage, host: Host) -> None:
        await asked(
            stage, host, policy=policy, summary=EVIL, questions=[EVIL], result={EVIL: EVIL},
            result_summary=f"</script>{EVIL}",
        )  # fmt: skip
        await expect(host.card.get_by_role("status")).to_have_text("This waits for a decision.")
        shown = await host.card.locator("#shown").text_content() or ""
        found = await host.card.locator("img, svg, a, iframe, main script, main style").count()

        assert "<script>alert(2)</script>" in shown
        assert found == 0
        assert not {"\u202e", "\u200b"} & set(await host.text())
        assert "\ufffdgnp.exe" in shown
        assert "untrusted-" not in shown

    played(name, story)


def test_a_gate_is_shown_with_who_decided_it(played: Played) -> None:
    async def story(stage: Stage, host: Host) -> None:
        plan = await stage.plan(1)
        step, lease = await stage.claim(plan)
        await stage.call("request_user_review", step_id=step, lease=lease, summary="Look.")
        (gate,) = await stage.engine.store.gates.of_unit("home", plan)
        await stage.call(
            "decide_gate", PAT, gate_id=gate.id, decision="approve", content_digest=gate.digest
        )
        await host.show("get_gate", {"gate_id": gate.id})

        await expect(host.card.get_by_role("status")).to_have_text(
            "This was decided: approve, by user pat."
        )
        await expect(host.card.get_by_role("button")).to_have_count(0)

    played("work", story)


AXE = """async () => {
  const { violations } = await axe.run();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((one) => one.html).join(" ")}`);
}"""


@pytest.mark.parametrize("policy", ["relay", "human"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_can_be_used_by_everybody_in_light_and_dark(
    played: Played, theme: str, policy: str
) -> None:
    async def story(stage: Stage, host: Host) -> None:
        await asked(stage, host, theme, policy=policy, result={"price": 7})
        await expect(host.card.get_by_role("button").first).to_be_visible()
        (frame,) = host.page.main_frame.child_frames
        await frame.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
        scheme = await frame.evaluate("getComputedStyle(document.documentElement).colorScheme")
        found = await frame.evaluate(AXE)
        await frame.evaluate(
            "document.querySelector('main').append(document.createElement('input'))"
        )
        planted = await frame.evaluate(AXE)

        assert (scheme, found) == (theme, [])
        assert any(one.startswith("label:") for one in planted)

    played("all", story)


def test_it_is_decided_with_the_keyboard_alone(played: Played) -> None:
    async def story(stage: Stage, host: Host) -> None:
        plan = await asked(stage, host, questions=[])
        await expect(host.card.get_by_role("button", name="approve")).to_be_visible()
        (frame,) = host.page.main_frame.child_frames
        for _ in range(10):
            await host.page.keyboard.press("Tab")
            if await frame.evaluate("document.activeElement.textContent") == "approve":
                break
        await host.page.keyboard.press("Enter")
        await expect(host.card.get_by_role("status")).to_be_focused()

        assert await stage.standing(plan) == "executing: completed pending"

    played("research", story)
