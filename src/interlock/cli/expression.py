"""``interlock expression``: read a branching expression, and try it on a scope."""

import json
from typing import Annotated

import typer

from interlock.cli.screen import err, out, print_json
from interlock.errors import InterlockError
from interlock.kernel.expression import Expression, InvalidExpression, evaluate
from interlock.workflows.plan.branching import read_expression


class InvalidScope(InterlockError):
    """The scope to try an expression on is no JSON object."""

    code = "INVALID_SCOPE"
    http = 422


def expression(
    text: Annotated[str, typer.Argument(help="The expression, in quotes.")],
    scope: Annotated[
        str, typer.Option(help='What to try it on, as JSON: {"result": {"found": 3}}.')
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check the syntax of a branching expression, and try it on a scope."""
    parsed = _read(text)
    value = evaluate(parsed, _scope(scope)) if scope else None
    if as_json:
        print_json({"expression": str(parsed), "value": value})
    else:
        shown = "" if value is None else f" is {str(value).lower()}"
        out.print(f"{parsed}{shown}", markup=False)


def _read(text: str) -> Expression:
    try:
        return read_expression(text)
    except InvalidExpression as error:
        if text.isprintable() and error.position < err.width:
            err.print(f"{text}\n{' ' * error.position}^", markup=False)
        raise


def _scope(text: str) -> dict[str, object]:
    try:
        scope = json.loads(text)
    except (ValueError, RecursionError) as exc:
        message = f"The scope is no JSON: {exc}."
        raise InvalidScope(message, fix='Send an object, as {"result": {"found": 3}}.') from exc
    if not isinstance(scope, dict):
        message = "The scope must be a JSON object."
        raise InvalidScope(message, fix='Send an object, as {"result": {"found": 3}}.')
    return scope
