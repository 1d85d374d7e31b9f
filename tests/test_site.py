"""What is served to others: which paths there are, under which names, for whom."""

import asyncio
import json
import os
import signal
import socket
from pathlib import Path
from typing import cast

import httpx2
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from interlock import __version__
from interlock.app import App, open_app
from interlock.config import Settings
from interlock.service.access import create_token
from interlock.service.engine import Principal
from interlock.site import Place, serve, site
from tests.doors.rest.listening import listening

CALL = {
    "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ping", "arguments": {}},
}  # fmt: skip


def asked(folder: Path, ask: object) -> None:
    """Open a site on a folder and ask it something, in a thread as a web server would."""

    async def work() -> None:
        async with open_app(Settings(folder, hosts="agents.example")) as app:
            await cast("Ask", ask)(app)

    asyncio.run(work())


class Ask:
    """What is asked of a site."""

    async def __call__(self, app: App) -> None:
        """Ask."""


def test_health_and_version_need_no_token_but_the_right_name(tmp_path: Path) -> None:
    async def ask(app: App) -> None:
        client = TestClient(site(app).asgi, base_url="http://agents.example")
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.get("/version").json() == {"name": "interlock", "version": __version__}
        assert client.get("/nope").status_code == 404
        other = TestClient(site(app).asgi, base_url="http://other.example")
        assert other.get("/healthz").status_code == 421

    asked(tmp_path, ask)


def test_where_nothing_is_a_program_is_told_as_data_and_a_person_as_a_page(tmp_path: Path) -> None:
    async def ask(app: App) -> None:
        client = TestClient(site(app).asgi, base_url="http://agents.example")
        told = client.get("/nope")
        assert (told.status_code, told.json()["code"]) == (404, "NO_SUCH_PATH")
        shown = client.get("/nope%0a<b>", headers={"accept": "text/html"})
        assert (shown.status_code, "There is no page at this address." in shown.text) == (404, True)
        assert "frame-ancestors 'none'" in shown.headers["content-security-policy"]
        wrong = client.post("/board", headers={"accept": "text/html"})
        assert (wrong.status_code, "not asked in that way" in wrong.text) == (405, True)

    asked(tmp_path, ask)


def test_every_token_sees_the_data_of_its_own_tenant(tmp_path: Path) -> None:
    async def ask(app: App) -> None:
        await app.engine.store.add_tenant("away", "Elsewhere", 0)
        eve = Principal("away", "user", "eve", app.owner().scopes)
        secrets = [(await create_token(app.engine, who, "agent"))[0] for who in (app.owner(), eve)]
        served = site(app)
        found = await asyncio.to_thread(_tenants, served.asgi, secrets)
        served.close()
        assert found == ["local", "away"]

    asked(tmp_path, ask)


def _tenants(asgi: object, secrets: list[str]) -> list[str]:
    with TestClient(asgi, base_url="http://localhost") as client:  # type: ignore[arg-type] # it is one
        return [
            json.loads(
                client.post(
                    "/mcp", json=CALL,
                    headers={"Authorization": f"Bearer {secret}", "Accept": "application/json"},
                ).text
            )["result"]["structuredContent"]["data"]["tenant"]
            for secret in secrets
        ]  # fmt: skip


def test_rest_is_served_beside_the_rest_and_calls_are_written_down(tmp_path: Path) -> None:
    async def ask(app: App) -> None:
        secret, _ = await create_token(app.engine, app.owner(), "pat", "user")
        headers = {"Authorization": f"Bearer {secret}"}
        transport = httpx2.ASGITransport(site(app).asgi)
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://localhost", headers=headers
        ) as client:
            assert (await client.get("/v1/whoami")).json()["data"]["kind"] == "user"
            assert (await client.get("/v1/units")).json()["data"] == {"units": []}
            assert (await client.get("/v1/nope")).json()["code"] == "NO_SUCH_PATH"
        await app.calls.close()
        (call,) = await app.engine.store.calls("local", None, 10)
        assert (call.tool, call.channel) == ("list_units", "rest")

    asked(tmp_path, ask)


def served(settings: Settings, ask: object) -> None:
    """Ask a site of somebody who serves others, with a token of an agent."""

    async def work() -> None:
        async with open_app(settings, serves=True) as app:
            secret, _ = await create_token(app.engine, app.owner(), "ada")
            made = site(app)
            await asyncio.to_thread(cast("Asks", ask), made.asgi, secret)
            made.close()

    asyncio.run(work())


class Asks:
    """What is asked of a site, in a thread of its own."""

    def __call__(self, asgi: ASGIApp, secret: str) -> None:
        """Ask."""


def test_who_is_too_fast_is_refused_by_both_doors_and_told_when_to_come_back(
    tmp_path: Path,
) -> None:
    def ask(asgi: ASGIApp, secret: str) -> None:
        headers = {"Authorization": f"Bearer {secret}", "Accept": "application/json"}
        with TestClient(asgi, base_url="http://localhost", headers=headers) as client:
            while (refused := client.get("/v1/whoami")).status_code == 200:
                pass
            assert refused.status_code == 429
            assert refused.json()["code"] == "RATE_LIMITED"
            assert refused.headers["retry-after"] == "1"
            told = client.post("/mcp", json=CALL).json()["result"]
            assert (told["isError"], told["structuredContent"]["code"]) == (True, "RATE_LIMITED")
            assert client.get("/healthz").status_code == 200

    served(Settings(tmp_path, rate_principal=1), ask)


def test_who_guesses_tokens_is_slowed_down(tmp_path: Path) -> None:
    def ask(asgi: ASGIApp, secret: str) -> None:
        del secret
        headers = {"Authorization": f"Bearer il_{40 * '0'}"}
        with TestClient(asgi, base_url="http://localhost", headers=headers) as client:
            for path in ("/v1/whoami", "/mcp", "/metrics"):
                answers = [client.post(path, json=CALL) if path == "/mcp" else client.get(path)
                           for _ in range(150)]  # fmt: skip
                # A slow machine earns a try now and then meanwhile, the last one perhaps.
                slowed = [one for one in answers if one.status_code == 429]
                assert slowed, path
                assert all(int(one.headers["retry-after"]) >= 1 for one in slowed)

    served(Settings(tmp_path), ask)


def test_a_proxy_that_is_known_says_who_calls_and_by_which_name(tmp_path: Path) -> None:
    def ask(asgi: ASGIApp, secret: str) -> None:
        del secret
        told = {"X-Forwarded-Host": "work.example", "X-Forwarded-For": "203.0.113.9"}
        for client, status in (("10.0.0.7", 200), ("10.0.0.8", 421)):
            asked = TestClient(asgi, base_url="http://inner.example", client=(client, 1))
            assert asked.get("/healthz", headers=told).status_code == status

    served(Settings(tmp_path, proxies="10.0.0.7/32", hosts="work.example"), ask)


def test_every_answer_has_the_id_of_its_request_also_a_refusal(tmp_path: Path) -> None:
    async def ask(app: App) -> None:
        for base in ("http://localhost", "http://evil.example"):
            client = TestClient(site(app).asgi, base_url=base)
            given = client.get("/healthz", headers={"X-Request-Id": "mine"})
            assert given.headers["x-request-id"] == "mine"

    asked(tmp_path, ask)


def test_closing_a_site_ends_its_streams(tmp_path: Path) -> None:
    async def ask(app: App) -> None:
        secret, _ = await create_token(app.engine, app.owner(), "ada")
        served = site(app)
        async with listening(served.asgi, secret) as reader:
            await reader.told.wait()
            served.close()
            assert (await reader.end())["event"] == "stop"

    asked(tmp_path, ask)


def test_who_drains_says_so(tmp_path: Path) -> None:
    async def ask(app: App) -> None:
        made = site(app, Place("server-1"))
        with_ready = TestClient(made.asgi, base_url="http://localhost")
        assert with_ready.get("/version").json()["instance"] == "server-1"
        made.drain()
        assert "It is about to stop." in with_ready.get("/readyz").json()["why"]

    asked(tmp_path, ask)


def test_a_guest_leaves_while_it_is_still_answered(tmp_path: Path) -> None:
    asked_by_guest: list[int] = []

    async def work() -> None:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            bound.listen()
            url = f"http://127.0.0.1:{bound.getsockname()[1]}/healthz"

            async def leave() -> None:
                async with httpx2.AsyncClient(timeout=30) as client:
                    asked_by_guest.append((await client.get(url)).status_code)

            async with open_app(Settings(tmp_path)) as app:
                serving = asyncio.create_task(serve(app, bound, Place(guest=leave)))
                async with httpx2.AsyncClient(timeout=30) as client:
                    assert (await client.get(url)).status_code == 200
                os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.wait_for(serving, 30)

    asyncio.run(work())

    assert asked_by_guest == [200]


def test_whoever_is_told_that_it_serves_can_have_it_stop_at_once(tmp_path: Path) -> None:
    told: list[str] = []

    async def tell() -> None:
        told.append("serves")
        os.kill(os.getpid(), signal.SIGTERM)

    async def work() -> None:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            bound.listen()
            async with open_app(Settings(tmp_path)) as app:
                await asyncio.wait_for(serve(app, bound, Place(tell=tell)), 30)

    # A process that does not listen yet would be gone here, and this test with it.
    before = signal.signal(signal.SIGTERM, lambda *_: told.append("nobody listened"))
    try:
        asyncio.run(work())
    finally:
        signal.signal(signal.SIGTERM, before)

    assert told == ["serves"]
