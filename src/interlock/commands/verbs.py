"""``Verbs``: every command by name, for whoever calls. In process here; over HTTP in a client.

Input is checked by the command's row, the caller by its scope, and what comes back is always the
one envelope. What is wrong with an input is told all at once, each with its place.
"""

from asyncio import CancelledError
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from time import perf_counter
from typing import Final, Protocol

from pydantic import ValidationError

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand, Call, in_session, key_of
from interlock.errors import InterlockError
from interlock.service.access import require
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, TooLarge
from interlock.service.run import Answer
from interlock.store.rows import exactly
from interlock.wire.envelope import Envelope, Shape

DEPTH_MAX: Final = 32
"""How deep an input may be nested."""

MISTAKES_TOLD: Final = 10
FINE: Final = "OK"
GONE: Final = "GONE"
"""How a call is counted that was not refused, and one whose caller did not wait for its end."""


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

    async def call(
        self, command: str, arguments: Mapping[str, object], version: int | None = None
    ) -> Envelope:
        """Check the input and the caller, then run the command.

        With a version, a unit that has moved on is left alone: raises ``StaleVersion``.
        """
        row = find(command)
        meter = self._engine.meter
        if meter is None:
            return await self._call(row, arguments, version)
        begun = perf_counter()
        code = InterlockError.code
        try:
            envelope = await self._call(row, arguments, version)
            code = FINE
        except InterlockError as error:
            code = error.code
            raise
        except CancelledError:
            code = GONE
            raise
        finally:
            meter.command(command, self._caller.channel, code, perf_counter() - begun)
        return envelope

    async def _call(
        self, row: AnyCommand, arguments: Mapping[str, object], version: int | None
    ) -> Envelope:
        if self._engine.rates is not None:
            self._engine.rates.take(self._caller.tenant, self._caller.id, row.weight)
        asked = read(row, arguments, self._engine.limits.body_bytes_max)
        caller = in_session(self._caller, asked)
        require(caller, row.scope, row.name)
        if version is not None and not row.takes_version:
            message = (
                f"{row.name} changes no unit that is named, so no version of one can be asked."
            )
            raise InvalidInput(message, fix="Leave the version (If-Match) out.")
        key = key_of(row.name, caller, asked)
        answer = await row.run(Call(self._engine, caller, key, version), asked)
        if isinstance(answer, Answer):
            envelope = Envelope.model_validate_json(answer.text)
        else:
            envelope = Envelope.model_validate(answer)
        if self._durability is not None:
            return envelope.model_copy(update={"durability": self._durability})
        return envelope


def find(command: str) -> AnyCommand:
    """Return a command's row; raises with the nearest name."""
    row = COMMANDS.get(command)
    if row is None:
        nearest = get_close_matches(command[:80], COMMANDS, n=1)
        hint = f"Did you mean {nearest[0]}?" if nearest else "List the commands first."
        raise InvalidInput(f"There is no command {command[:80]!r}.", fix=hint)
    return row


def read(row: AnyCommand, arguments: Mapping[str, object], bytes_max: int) -> Shape:
    """Check an input against its shape; raises with every mistake and its place."""
    _check_plain(arguments, bytes_max)
    try:
        shape: Shape = row.takes.model_validate(arguments)
    except ValidationError as wrong:
        told = "; ".join(_mistakes(wrong))
        fix = f"Correct what is named; {row.name} takes {', '.join(_names(row))}."
        message = f"{row.name} cannot be called like that: {told}."
        raise InvalidInput(message, fix=fix, fields=_fields(wrong)) from wrong
    return shape


def _names(row: AnyCommand) -> Iterator[str]:
    """Yield what a command's arguments are called where it is called."""
    for name, one in row.takes.model_fields.items():
        yield one.alias or name


def _check_plain(arguments: Mapping[str, object], bytes_max: int) -> None:
    """Refuse what is too large, too deep, or cannot be kept as text by every database of ours."""
    try:
        text = exactly(arguments)
        size = len(text.encode())
        is_deep = size <= bytes_max and _is_odd(text) and _depth(arguments) > DEPTH_MAX
    except RecursionError:
        size, is_deep = 0, True
    except (TypeError, ValueError) as exc:
        message = "The input is no plain data."
        raise InvalidInput(message, fix="Send what JSON can hold, in valid UTF-8.") from exc
    if size > bytes_max:
        message = f"The input has {size:,} bytes; at most {bytes_max:,} are taken."
        raise TooLarge(message, fix="Send large content as an artifact, or shorten it.")
    if is_deep:
        message = f"The input is nested more than {DEPTH_MAX} deep."
        raise TooLarge(message, fix="Make it flatter, or send it as text.")


def _is_odd(text: str) -> bool:
    """Say whether an input may be deep or hold a NUL character; hardly any has what that takes."""
    return text.count("{") + text.count("[") > DEPTH_MAX or "\\u0000" in text


def _depth(value: object) -> int:
    """Return how deep a value is nested; raises where a text in it holds a NUL character."""
    if isinstance(value, str) and "\0" in value:
        message = "The input holds a NUL character, which no text may."
        raise InvalidInput(message, fix="Leave it out, or write it some other way.")
    if isinstance(value, Mapping):
        return 1 + max((max(_depth(name), _depth(one)) for name, one in value.items()), default=0)
    if isinstance(value, list | tuple):
        return 1 + max(map(_depth, value), default=0)
    return 0


def _mistakes(wrong: ValidationError) -> Iterator[str]:
    for where, what in _fields(wrong):
        yield f"{where or 'the input'}: {what}"
    if wrong.error_count() > MISTAKES_TOLD:
        yield f"and {wrong.error_count() - MISTAKES_TOLD} more"


def _fields(wrong: ValidationError) -> tuple[tuple[str, str], ...]:
    """Return the first mistakes, each with its place; that of the whole input is empty."""
    found = wrong.errors(include_url=False, include_context=False, include_input=False)
    told = []
    for error in found[:MISTAKES_TOLD]:
        where = ".".join(map(str, error["loc"]))[:80]
        told.append((where if where.isprintable() else ascii(where), error["msg"]))
    return tuple(told)
