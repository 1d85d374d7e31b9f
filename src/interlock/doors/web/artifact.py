"""What is kept for a unit: listed with all versions, and each one rendered safely, with its diff.

The bytes themselves are only ever given out as a download that no browser opens in our name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.cookies import is_https
from interlock.doors.web.compare import Row, compare
from interlock.doors.web.guest import Guest, behind_login
from interlock.doors.web.headers import secured
from interlock.doors.web.outline import lines, pieces, read_content
from interlock.doors.web.unit import PATH
from interlock.service import content as kept
from interlock.service.engine import Engine
from interlock.store.port import ArtifactRow

BYTES_SHOWN: Final = 1024 * 1024
"""Larger ones are not laid out or compared, only shown in part and downloaded."""

SHUT: Final = "default-src 'none'; sandbox"
"""What a browser may do with a file that it opens all the same: nothing."""


@dataclass(frozen=True, slots=True)
class Artifacts:
    """The pages of what is kept."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            behind_login(self.engine, f"{PATH}/artifacts", self.show_all),
            behind_login(self.engine, f"{PATH}/artifacts/{{digest}}", self.show),
            behind_login(self.engine, f"{PATH}/artifacts/{{digest}}/file", self.download),
        ]

    async def show_all(self, guest: Guest) -> Response:
        """List everything that is kept for a unit."""
        unit = guest.request.path_params["unit"]
        rows = await kept.list_artifacts(self.engine, guest.person.tenant, unit)
        return await guest.page("artifacts.html", unit=unit, rows=rows)

    async def show(self, guest: Guest) -> Response:
        """Show one: what it says, its versions, and what changed since the one before."""
        unit, digest = guest.request.path_params["unit"], guest.request.path_params["digest"]
        tenant = guest.person.tenant
        found = await kept.read_content(self.engine, tenant, unit, digest)
        row = found.rows[-1]
        versions = [
            one
            for one in await kept.list_artifacts(self.engine, tenant, unit)
            if (one.part, one.name) == (row.part, row.name)
        ]
        return await guest.page(
            "artifact.html", unit=unit, row=row, versions=versions,
            shown=shown(found.content), diff=await self._changes(tenant, row, versions),
        )  # fmt: skip

    async def _changes(
        self, tenant: str, row: ArtifactRow, versions: Sequence[ArtifactRow]
    ) -> list[Row]:
        """Compare a version with the one before it, where both are texts of some size."""
        before = [one for one in versions if one.version < row.version]
        if not before or before[-1].digest == row.digest:
            return []
        if max(row.size, before[-1].size) > BYTES_SHOWN:
            return []
        old = await self.engine.store.content(tenant, before[-1].digest)
        new = await self.engine.store.content(tenant, row.digest)
        return compare(lines(read_content(old or b"")), lines(read_content(new or b"")))

    async def download(self, guest: Guest) -> Response:
        """Give the bytes out as a file, whatever they claim to be."""
        unit, digest = guest.request.path_params["unit"], guest.request.path_params["digest"]
        found = await kept.read_content(self.engine, guest.person.tenant, unit, digest)
        response = Response(found.content, media_type="application/octet-stream")
        response.headers["Content-Disposition"] = f'attachment; filename="{digest[:16]}.bin"'
        secured(response, is_https=is_https(self.engine, guest.request))
        response.headers["Content-Security-Policy"] = SHUT
        return response


def shown(content: bytes) -> dict[str, object]:
    """Return how content is shown: laid out, as text, or not at all."""
    if len(content) > BYTES_SHOWN:
        return {"kind": "text", "text": content[:BYTES_SHOWN].decode("utf-8", "replace")}
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return {"kind": "bytes"}
    value = read_content(content)
    if isinstance(value, str):
        return {"kind": "prose", "text": text}
    return {"kind": "tree", "pieces": pieces(value)}
