"""A small identity provider on loopback, for tests: real HTTP, real keys, and every way to be wrong.

It answers discovery, its keys, the place where people log in, and the exchange of codes. Whoever
comes to log in is logged in at once, as whom the test says.
"""

import base64
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import get_default_algorithms

from interlock.service.provider import Client, Provider

CLIENT: Final = "interlock-tests"
SECRET: Final = "canary-of-the-client"  # noqa: S105 (of a provider that does not exist)
AUDIENCE: Final = "https://interlock.example/api"
Claims = dict[str, object]
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


@cache
def keys() -> dict[str, tuple[str, Key]]:
    """Make a key of each sort, once: the name, how it signs, and the key itself."""
    return {
        "one": ("RS256", rsa.generate_private_key(65537, 2048)),
        "two": ("ES256", ec.generate_private_key(ec.SECP256R1())),
        "three": ("EdDSA", ed25519.Ed25519PrivateKey.generate()),
        "later": ("RS256", rsa.generate_private_key(65537, 2048)),
    }


@dataclass(slots=True)
class Issuer:
    """A provider; ``person`` is who is logged in there."""

    url: str
    now: int
    person: Claims = field(default_factory=dict)
    # Which keys it shows; one that it shows later is unknown at first.
    shown: list[str] = field(default_factory=lambda: ["one", "two", "three"])
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)
    # What its ID tokens say otherwise than they should.
    bent: Claims = field(default_factory=dict)

    def provider(self, audience: str = AUDIENCE) -> Provider:
        """Return it as we believe it."""
        return Provider(Client(self.url, CLIENT, SECRET, audience))

    def claims(self, **more: object) -> Claims:
        """Return what a good token says."""
        now = self.now // 1000
        told = {"iss": self.url, "aud": AUDIENCE, "sub": "s-1", "iat": now, "exp": now + 300}
        found = {**told, **more}
        return {name: value for name, value in found.items() if value is not None}

    def token(self, claims: Claims, by: str = "one", **head: object) -> str:
        """Sign a token."""
        algorithm, key = keys()[by]
        return jwt.encode(claims, key, algorithm, {"kid": by, **head})

    def public(self, kid: str) -> bytes:
        """Return a public key as everybody can read it."""
        return keys()[kid][1].public_key().public_bytes(
            Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
        )  # fmt: skip

    def answer(self, path: str, form: Mapping[str, str]) -> tuple[int, object]:
        """Answer a request: a status, and an address to go to or a document."""
        where = urlsplit(path)
        self.heard.append(where.path)
        query = {name: values[0] for name, values in parse_qs(where.query).items()}
        match where.path:
            case "/.well-known/openid-configuration":
                told = {"authorization_endpoint": "/authorize", "token_endpoint": "/token"}
                told |= {"jwks_uri": "/keys"}
                return 200, {"issuer": self.url} | {
                    name: self.url + at for name, at in told.items()
                }
            case "/keys":
                return 200, {"keys": [_public_jwk(kid) for kid in self.shown]}
            case "/authorize":
                code = f"code-{len(self.codes)}"
                self.codes[code] = query
                back = urlencode({"code": code, "state": query["state"]})
                return 302, f"{query['redirect_uri']}?{back}"
            case "/token":
                return self._exchange(form)
            case _:
                return 404, {}

    def _exchange(self, form: Mapping[str, str]) -> tuple[int, object]:
        asked = self.codes.pop(form.get("code", ""), None)
        if asked is None or form.get("client_secret") != SECRET:
            return 400, {"error": "invalid_grant"}
        proof = sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
        if challenge != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        told = self.claims(aud=CLIENT, nonce=asked["nonce"], **self.person)
        return 200, {"id_token": self.token({**told, **self.bent})}


def _public_jwk(kid: str) -> Claims:
    algorithm, key = keys()[kid]
    told = get_default_algorithms()[algorithm].to_jwk(key.public_key(), as_dict=True)
    return {**told, "kid": kid, "use": "sig", "alg": algorithm}


@contextmanager
def issuing(now: int) -> Iterator[Issuer]:
    """Run a provider whose clock stands still."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            self._say({name: values[0] for name, values in parse_qs(body).items()})

        def _say(self, form: Mapping[str, str]) -> None:
            status, told = issuer.answer(self.path, form)
            self.send_response(status)
            body = b"" if isinstance(told, str) else json.dumps(told).encode()
            if isinstance(told, str):
                self.send_header("Location", told)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = Issuer(f"http://127.0.0.1:{server.server_port}", now)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
