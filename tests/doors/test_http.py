"""What every door over HTTP shares: names, pages, tokens, errors."""

from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from interlock.doors.cookies import HEADER, proof
from interlock.doors.http import (
    CALLER,
    Doors,
    Guard,
    NoSuchPath,
    host_of,
    problem_of,
    told,
    unauthenticated,
    who,
)
from interlock.service.access import create_token
from interlock.service.errors import InvalidInput, Unauthenticated
from interlock.service.rate import RateLimited, Rates
from interlock.service.sessions import let_in, log_out
from interlock.store.errors import StoreUnavailable
from tests.service.folk import first
from tests.service.issuer import issuing
from tests.stage import HOME, PAT, Stage, staged


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("localhost", "localhost"), ("LocalHost:80", "localhost"), ("[::1]", "[::1]"),
        ("[::1]:80", "[::1]"), ("[::1]x", ""), ("localhost:", "localhost"), ("localhost:x", ""),
        ("a:1:2", ""), ("", ""), ("[::1", ""),
    ],
)  # fmt: skip
def test_a_host_is_read_with_and_without_its_port(address: str, host: str) -> None:
    assert host_of(address) == host


def answer(host: str, *origins: str) -> int:
    guarded = Guard(PlainTextResponse("in"), ["agents.example"])
    headers = [("host", host), *(("origin", origin) for origin in origins)]
    return TestClient(guarded).get("/", headers=headers).status_code


def test_who_is_meant_is_let_in_and_nobody_else() -> None:
    assert answer("localhost:7400") == answer("Agents.Example") == 200
    assert answer("localhost", "https://agents.example:8443") == 200
    assert answer("evil.example") == 421
    assert answer("localhost", "https://evil.example") == 403
    assert answer("localhost", "http://localhost", "http://evil.example") == 403
    assert answer("localhost", "file://localhost") == 403


def asking(*headers: tuple[str, str]) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in headers]
    return Request({"type": "http", "headers": raw})


@staged
async def test_a_token_says_who_is_calling(stage: Stage) -> None:
    secret, row = await create_token(stage.engine, PAT, "ada")

    found = await who(stage.engine, asking(("authorization", f"bearer  {secret} ")))

    assert (found.tenant, found.kind, found.id) == (HOME, "agent", row.id)
    for wrong in ((), (("authorization", secret),), (("authorization", f"Bearer {secret}"),) * 2):
        with pytest.raises(Unauthenticated):
            await who(stage.engine, asking(*wrong))


def visiting(method: str, *headers: tuple[str, str], query: str = "") -> Request:
    raw = [(name.encode(), value.encode()) for name, value in (("host", "localhost"), *headers)]
    return Request(
        {
            "type": "http", "method": method, "scheme": "http", "path": "/", "headers": raw,
            "server": ("localhost", 80), "query_string": query.encode(),
        }
    )  # fmt: skip


@staged
async def test_a_session_reads_and_changes_only_with_the_proof_of_a_page(stage: Stage) -> None:
    visit = await let_in(stage.engine, await first(stage, "pam", "member"), "link")
    cookie = ("cookie", f"interlock={visit.secret}")

    found = await who(stage.engine, visiting("GET", cookie))
    assert (found.kind, found.id, set(found.scopes)) == ("user", "pam", {"read", "work", "decide"})
    shown = (HEADER, proof(visit.secret))
    assert (await who(stage.engine, visiting("POST", cookie, shown))).id == "pam"
    for wrong in ((), ((HEADER, ""),), ((HEADER, proof("other")),)):
        with pytest.raises(Unauthenticated, match="does not show that it is ours"):
            await who(stage.engine, visiting("DELETE", cookie, *wrong))
    with pytest.raises(Unauthenticated):  # a token is looked at first, and alone
        await who(stage.engine, visiting("GET", cookie, ("authorization", "Bearer il_0")))
    await log_out(stage.engine, visit)
    with pytest.raises(Unauthenticated):
        await who(stage.engine, visiting("GET", cookie))


@staged
async def test_what_stands_in_the_address_is_never_looked_at(stage: Stage) -> None:
    secret, _ = await create_token(stage.engine, PAT, "ada")
    for query in (f"token={secret}", f"access_token={secret}", f"authorization=Bearer%20{secret}"):
        with pytest.raises(Unauthenticated):
            await who(stage.engine, visiting("GET", query=query))


@staged
async def test_a_token_of_the_identity_provider_is_the_person_it_vouches_for(stage: Stage) -> None:
    await first(stage, "pam", "viewer")
    with issuing(stage.engine.store.now()) as issuer:
        engine = replace(stage.engine, provider=issuer.provider())
        subject = f"{issuer.url} s-1"
        await stage.sql(f"UPDATE users SET subject = '{subject}' WHERE id = 'pam'")  # noqa: S608 (ours)
        good = issuer.token(issuer.claims())
        found = await who(engine, asking(("authorization", f"Bearer {good}")))
        assert (found.kind, found.id, set(found.scopes)) == ("user", "pam", {"read"})
        wrong = issuer.token(issuer.claims(aud="other"))
        with pytest.raises(Unauthenticated):
            await who(engine, asking(("authorization", f"Bearer {wrong}")))


def test_an_error_is_told_with_its_status_and_what_to_do() -> None:
    response = told(NoSuchPath("Nothing is here.", fix="Look elsewhere."))

    assert (response.status_code, response.media_type) == (404, "application/problem+json")
    assert b'"fix":"Look elsewhere."' in bytes(response.body)


def test_a_challenge_says_whether_a_token_was_sent() -> None:
    error = Unauthenticated("No.")

    assert "invalid_token" in unauthenticated(error, has_token=True).headers["www-authenticate"]
    assert "invalid" not in unauthenticated(error, has_token=False).headers["www-authenticate"]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/v1", 200), ("/v1/", 200), ("/v1/a%0Ab", 200), ("/v1x", 404), ("/", 404), ("/V1", 404)],
)
def test_a_door_answers_at_its_path_and_below_whatever_comes_there(path: str, status: int) -> None:
    app = Doors({"/v1": PlainTextResponse("in")}, Starlette())

    assert TestClient(app).get(path).status_code == status


def test_a_problem_says_with_which_field_it_is() -> None:
    error = InvalidInput("No.", fix="Yes.", fields=(("name", "is missing"),))

    assert problem_of(error, "/v1/plans") == {
        "type": "/docs/errors#invalid_input", "title": "Invalid input", "status": 422,
        "detail": "No.", "instance": "/v1/plans", "code": "INVALID_INPUT", "message": "No.",
        "fix": "Yes.", "retryable": False, "legal_moves": [],
        "errors": [{"field": "name", "message": "is missing"}],
    }  # fmt: skip


@staged
async def test_who_guesses_tokens_is_slowed_down_and_nobody_else(stage: Stage) -> None:
    rates = Rates(stage.clock.now, principal=0, tenant=0, guesses=1)
    engine = replace(stage.engine, rates=rates)
    secret, _ = await create_token(stage.engine, PAT, "ada")

    def asks(address: str, token: str) -> Request:
        raw = [(b"authorization", f"Bearer {token}".encode())]
        return Request({"type": "http", "headers": raw, "client": (address, 1)})

    for _ in range(5):
        with pytest.raises(Unauthenticated):
            await who(engine, asks("10.0.0.1", "il_" + 40 * "0"))
    for token in ("il_" + 40 * "1", secret):
        with pytest.raises(RateLimited):
            await who(engine, asks("10.0.0.1", token))

    await who(engine, asks("10.0.0.2", secret))
    stage.clock.pass_ms(1_000)
    for _ in range(10):
        request = asks("10.0.0.1", secret)
        found = await who(engine, request)
        assert request.scope[CALLER] == found.id


def test_who_is_too_fast_is_told_the_seconds_and_others_some() -> None:
    assert told(RateLimited("You call", 4_100)).headers["retry-after"] == "5"
    assert told(RateLimited("You call", 10)).headers["retry-after"] == "1"
    assert told(StoreUnavailable("It is away.")).headers["retry-after"] == "2"
    assert "retry-after" not in told(NoSuchPath("Nothing is here.")).headers
