"""``Verbs``: every command by name, for whoever calls. In process here; over HTTP in a client.

Input is checked by the command's row, the caller by its scope, and what comes back is always the
one envelope. What is wrong with an input is told all at once, each with its place.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Protocol

from pydantic import ValidationError

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand, Call, in_session, key_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, NotAllowed, TooLarge
from interlock.service.run import Answer
from interlock.service.turn import Reply
from interlock.store.rows import dump
from interlock.wire.envelope import Envelope, Shape


class Verbs(Protocol):
    """What a door or the command line speaks to."""

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Call a command; raises an ``InterlockError`` where it is refused."""


class LocalVerbs:
    """The commands in this process, as one principal calls them."""

    def __init__(self, engine: Engine, caller: Principal, durability: str = "full") -> None:
        """Speak for a caller; a durability that is not full is said with every answer."""
        self._engine = engine
        self._caller = caller
        self._durability = None if durability == "full" else durability

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Check the input and the caller, then run the command."""
        row = find(command)
        asked = read(row, arguments, self._engine.limits.body_bytes_max)
        caller = in_session(self._caller, asked)
        if row.scope not in caller.scopes:
            message = f"{command} needs the scope {row.scope!r}, which your token does not have."
            raise NotAllowed(message, fix="Use a token that has it.")
        answer = await row.run(Call(self._engine, caller, key_of(command, caller, asked)), asked)
        reply: Mapping[str, object] = answer.reply if isinstance(answer, Answer) else answer
        return Envelope.model_validate({**reply, "durability": self._durability})


def find(command: str) -> AnyCommand:
    """Return a command's row; raises with the nearest name."""
    row = COMMANDS.get(command)
    if row is None:
        nearest = get_close_matches(command, COMMANDS, n=1)
        hint = f"Did you mean {nearest[0]}?" if nearest else "List the commands first."
        raise InvalidInput(f"There is no command {command[:80]!r}.", fix=hint)
    return row


def read(row: AnyCommand, arguments: Mapping[str, object], bytes_max: int) -> Shape:
    """Check an input against its shape; raises with every mistake and its place."""
    try:
        size = len(dump(arguments).encode())
    except (TypeError, ValueError, RecursionError) as exc:
        message = "The input is no plain data."
        raise InvalidInput(message, fix="Send what JSON can hold, in valid UTF-8.") from exc
    if size > bytes_max:
        message = f"The input has {size:,} bytes; at most {bytes_max:,} are taken."
        raise TooLarge(message, fix="Send large content as an artifact, or shorten it.")
    try:
        shape: Shape = row.takes.model_validate(arguments)
    except ValidationError as wrong:
        told = "; ".join(_mistake(dict(error)) for error in wrong.errors())
        fix = f"Correct what is named; {row.name} takes {', '.join(row.takes.model_fields)}."
        raise InvalidInput(f"{row.name} cannot be called like that: {told}.", fix=fix) from wrong
    return shape


def _mistake(error: Reply) -> str:
    place = error.get("loc", ())
    where = ".".join(map(str, place)) if isinstance(place, tuple) else ""
    return f"{where or 'the input'}: {error.get('msg')}"
