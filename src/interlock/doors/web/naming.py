"""Who somebody is, in a word that people know: a person's name, or what their token is called."""

from collections.abc import Mapping
from typing import Final, cast

from jinja2 import pass_context
from jinja2.runtime import Context

from interlock.service.engine import Engine

TOKENS_MAX: Final = 256
"""Of how many tokens the names are known: tokens are kept for ever, and every page asks."""


async def names_of(engine: Engine, tenant: str) -> dict[str, str]:
    """Return the names of a tenant's people and tokens, by the ids that the audit knows them by.

    Of many tokens those that are still good, and the newest; older ones go by their ids.
    """
    store = engine.store
    tokens = dict(await store.people.token_names(tenant, store.now(), TOKENS_MAX))
    return tokens | {row.id: row.name for row in await store.people.users(tenant)}


@pass_context
def known(context: Context, name: object) -> str:
    """Return what an id is called; one that nobody knows is told as it is."""
    names = cast("Mapping[str, str]", context["names"])
    return names.get(str(name), str(name))
