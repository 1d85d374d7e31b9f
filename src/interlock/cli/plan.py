"""``interlock plan``: make a plan, take its steps, hand results in, see how it stands."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, cast

import typer

from interlock.cli import plans, steer
from interlock.cli.board import MARKS, show_plan, steps_of
from interlock.cli.files import read_json
from interlock.cli.local import Json, RequestId, SessionId, call, plain, show
from interlock.service.errors import InvalidInput
from interlock.wire.envelope import Envelope

app = typer.Typer(
    name="plan", help="Research plans: make one, work on its steps.", no_args_is_help=True
)

app.command("show")(show_plan)
app.command("review")(steer.review)
app.command("decide")(steer.decide)
app.command("modify")(steer.modify)
app.command("fail")(steer.fail)
app.command("context")(steer.resume)
app.command("export")(steer.export)
app.command("list")(plans.list_plans)


@app.command("create")
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What the plan is called.")] = "",
    question: Annotated[
        str, typer.Option("--question", "-q", help="What is to be found out.")
    ] = "",
    step: Annotated[
        list[str] | None, typer.Option("--step", "-s", help="Instructions of a step; repeat it.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", "-f", help="The plan as create_research_plan takes it: YAML or JSON."
        ),
    ] = None,
    request_id: RequestId = None,
    session: SessionId = None,
    as_json: Json = False,
) -> None:
    """Make a research plan from options or from a file."""
    arguments: dict[str, object] = {}
    if file is not None:
        arguments.update(steer.document_of(file))
    if name:
        arguments["name"] = name
    if question:
        arguments["research_question"] = question
    if step:
        arguments["steps"] = [{"instructions": text} for text in step]
    told = {"request_id": request_id, "session_id": session}
    arguments |= {word: value for word, value in told.items() if value is not None}
    answer = call(context, "create_research_plan", arguments)
    plan = str(answer.data["plan_id"])
    steps = cast("list[str]", answer.data["step_ids"])
    lines = [f"[green]✓[/green] {plain(plan)}  {len(steps)} steps"]
    show(answer, lines, as_json=as_json)


@app.command("next")
def next_step(
    context: typer.Context,
    plan: Annotated[str, typer.Argument(help="The plan's id.")],
    wait: Annotated[
        float, typer.Option("--wait", help="Seconds to wait for a step, up to 10.")
    ] = 0,
    request_id: RequestId = None,
    session: SessionId = None,
    as_json: Json = False,
) -> None:
    """Claim the next step of a plan."""
    arguments = {"plan_id": plan, "wait_s": wait, "request_id": request_id, "session_id": session}
    answer = call(context, "get_next_step", arguments)
    show(answer, list(_handed_out(answer)), as_json=as_json)


def _handed_out(answer: Envelope) -> Iterator[str]:
    step = answer.data.get("step")
    if not isinstance(step, dict):
        yield f"[bold]{answer.status}[/bold]"
        yield from _standing(answer)
        return
    title = plain(step["title"])
    yield f"[bold]{title}[/bold]  {step['step_type']}, attempt {step['attempt']}"
    yield f"  {plain(step['instructions'])}"
    yield f"[dim]step [/dim]  {step['step_id']}"
    lease = cast("Mapping[str, object]", step["lease"])
    yield f"[dim]lease[/dim]  {lease['token']}  until {_at(lease['expires_at'])}"


@app.command("submit")
def submit(
    context: typer.Context,
    step: Annotated[str, typer.Argument(help="The step's id.")],
    summary: Annotated[str, typer.Option("--summary", "-m", help="What was found, in short.")],
    result: Annotated[str, typer.Option("--result", "-r", help="The result, a JSON object.")] = "",
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="The result, a file with a JSON object.")
    ] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", help="How sure you are, from 0 to 1.")
    ] = None,
    lease: Annotated[
        str | None, typer.Option("--lease", help="The token that came with the step.")
    ] = None,
    claim_next: Annotated[
        bool, typer.Option("--claim-next", help="Take the next step in the same transaction.")
    ] = False,
    request_id: RequestId = None,
    session: SessionId = None,
    as_json: Json = False,
) -> None:
    """Hand in the result of a step."""
    arguments: dict[str, object] = {
        "step_id": step, "result_summary": summary, "confidence": confidence, "lease": lease,
        "claim_next": claim_next, "request_id": request_id, "session_id": session,
    }  # fmt: skip
    if file is not None:
        arguments["result"] = read_json(file)
    elif result:
        arguments["result"] = _parsed(result)
    answer = call(context, "submit_step_result", arguments)
    show(answer, list(_submitted(answer)), as_json=as_json)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as exc:
        message = f"The result is no JSON: {exc}."
        raise InvalidInput(message, fix="Write it as a JSON object, in single quotes.") from exc


def _submitted(answer: Envelope) -> Iterator[str]:
    step = cast("Mapping[str, object]", answer.data["step"])
    yield f"[green]✓[/green] {step['step_id']} {step['status']}; the plan is {answer.status}"
    for row in cast("list[Mapping[str, object]]", answer.data.get("branches", [])):
        outcome = "applied" if row["applied"] else f"not applied: {plain(row['why_not'])}"
        condition = plain(row["expression"])
        yield f"  [dim]if[/dim] {condition} [dim]then[/dim] {row['action']}: {outcome}"
    following = answer.data.get("next_step")
    if isinstance(following, dict):
        yield from _handed_out(answer.model_copy(update={"data": {"step": following}}))


@app.command("status")
def status(
    context: typer.Context,
    plan: Annotated[str, typer.Argument(help="The plan's id.")],
    as_json: Json = False,
) -> None:
    """Show how a plan stands: its steps, who holds what until when."""
    answer = call(context, "get_plan_status", {"plan_id": plan})
    show(answer, list(_standing(answer)), as_json=as_json)


def _standing(answer: Envelope) -> Iterator[str]:
    data = answer.data
    yield f"[bold]{plain(data['name'])}[/bold]  {data['status']}, {data['progress']} % done"
    for row in sorted(steps_of(data), key=lambda row: cast("int", row["order"])):
        mark = MARKS.get(str(row["status"]), " ")
        held = (
            f"  held by {plain(row['holder'])} until {_at(row['until'])}" if "holder" in row else ""
        )
        yield f"  {mark} {row['order']:>3}  {plain(row['title'])}  {row['status']}{held}"


def _at(instant: object) -> str:
    if not isinstance(instant, int):
        return "?"
    return f"{datetime.fromtimestamp(instant / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
