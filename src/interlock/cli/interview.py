"""``interlock ticket``, while it is talked about: answer, skip, skip-all, correct.

At a terminal the questions that wait are asked one by one. Elsewhere the answers are in options or
in a file, by the ids of the questions.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from interlock.cli.files import read_document
from interlock.cli.local import Json, RequestId, call, plain, show
from interlock.cli.screen import print_lines
from interlock.service.errors import InvalidInput

Ticket = Annotated[str, typer.Argument(help="The ticket's id.")]
Question = Annotated[str, typer.Argument(help="The question's id, as in Q03.")]
Words = Annotated[
    list[str] | None, typer.Option("--say", "-s", help="Q01=WORDS; repeat it for each question.")
]
Choices = Annotated[
    list[str] | None,
    typer.Option("--choose", "-c", help="Q02=OPTION or Q02=OPTION,OPTION; repeat it."),
]
Reason = Annotated[str | None, typer.Option("--reason", "-m", help="Why.")]
Told = Mapping[str, object]
Said = dict[str, dict[str, object]]
"""Answers by question: what is chosen, and words."""


def answer(
    context: typer.Context,
    ticket: Ticket,
    file: Annotated[
        Path | None,
        typer.Argument(help="Answers by question: words, or {selected: [...], text: ...}."),
    ] = None,
    say: Words = None,
    choose: Choices = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Answer the questions that wait; at a terminal you are asked them one by one."""
    batch = waiting(context, ticket)
    given = _of_file(file)
    _add(given, say, "text")
    _add(given, choose, "selected")
    is_asked = not given and sys.stdin.isatty() and not as_json
    if is_asked:
        given = asked(batch)
    if not given and not is_asked:
        message = "No answer is given, and there is no terminal to ask at."
        fix = "Say --say Q01=WORDS or --choose Q02=OPTION, or name a file with the answers."
        raise InvalidInput(message, fix=fix)
    told = {
        "ticket_id": ticket, "batch": batch["number"], "request_id": request_id,
        "answers": [{"question_id": name, **said} for name, said in given.items()],
    }  # fmt: skip
    done = call(context, "answer_batch", told)
    skipped = len(cast("list[Told]", batch["questions"])) - len(given)
    rest = f", {skipped} skipped" if skipped else ""
    show(done, [f"[green]✓[/green] {len(given)} answered{rest}"], as_json=as_json)


def waiting(context: typer.Context, ticket: str) -> Told:
    """Return the questions that wait; raises where none do."""
    found = call(context, "ticket_status", {"ticket_id": ticket})
    if "batch" not in found.data:
        message = f"No question waits: the ticket is {found.status}."
        raise InvalidInput(message, fix=found.next_action)
    return cast("Told", found.data["batch"])


def _of_file(file: Path | None) -> Said:
    document = {} if file is None else read_document(file)
    if isinstance(document, dict) and isinstance(document.get("answers"), dict):
        document = document["answers"]
    if not isinstance(document, dict):
        message = f"{file} holds no answers."
        raise InvalidInput(message, fix="Write the id of each question, a colon, and the answer.")
    return {
        str(name): dict(said) if isinstance(said, dict) else {"text": str(said)}
        for name, said in document.items()
    }


def _add(given: Said, options: list[str] | None, word: str) -> None:
    """Add what options say to answers."""
    for one in options or ():
        name, equals, rest = one.partition("=")
        if not (name and equals):
            message = f"{one!r} names no question."
            raise InvalidInput(message, fix="Write the id of the question, =, and the answer.")
        said = rest if word == "text" else [part.strip() for part in rest.split(",")]
        given.setdefault(name, {})[word] = said


# -- at a terminal -----------------------------------------------------------------------------


def asked(batch: Told) -> Said:
    """Ask a person the questions one by one; return the answers of those that were given one."""
    if batch["commentary"]:
        print_lines([plain(batch["commentary"])])
    questions = cast("list[Told]", batch["questions"])
    given: Said = {}
    for number, question in enumerate(questions, 1):
        print_lines(_question(question, f"{number}/{len(questions)}"))
        said = str(typer.prompt("", default="", show_default=False, prompt_suffix="> ")).strip()
        if said:
            given[str(question["id"])] = understood(question, said)
    return given


def _question(question: Told, place: str) -> Iterator[str]:
    yield f"[bold]{place} {plain(question['id'])}[/bold]  {plain(question['question'])}"
    for number, one in enumerate(_options(question), 1):
        yield f"  {number}  {plain(one['label'])}"
    yield f"[dim]{HINTS[str(question['answer_type'])]}; empty skips it[/dim]"


HINTS: Final = {
    "free_text": "in your words",
    "single_choice": "a number, or your own words",
    "multiple_choice": "numbers with commas between, or your own words",
    "yes_no": "1 or yes, 2 or no, or your own words",
}


def understood(question: Told, said: str) -> dict[str, object]:
    """Return what a person has typed as an answer: options by number or name, else words."""
    options = _options(question)
    names = {str(number): str(one["id"]) for number, one in enumerate(options, 1)}
    names |= {str(one["label"]).casefold(): str(one["id"]) for one in options}
    names |= {str(one["id"]): str(one["id"]) for one in options}
    parts = [part.strip().casefold() for part in said.split(",")]
    if options and all(part in names for part in parts):
        return {"selected": [names[part] for part in parts]}
    return {"text": said}


def _options(question: Told) -> list[Told]:
    return cast("list[Told]", question.get("options", []))


# -- the rest ----------------------------------------------------------------------------------


def skip(
    context: typer.Context, ticket: Ticket, question: Question, reason: Reason = None,
    request_id: RequestId = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Leave one question that waits to the council; it can still be answered."""
    told = {"ticket_id": ticket, "question_id": question, "reason": reason}
    done = call(context, "skip_question", told | {"request_id": request_id})
    show(done, [f"[green]✓[/green] {plain(question)} is left to the council"], as_json=as_json)


def skip_all(
    context: typer.Context, ticket: Ticket, reason: Reason = None, request_id: RequestId = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """End the interview here; what was not answered is left to the council."""
    told = {"ticket_id": ticket, "reason": reason, "request_id": request_id}
    done = call(context, "skip_all", told)
    show(done, [f"[green]✓[/green] the interview is over: {done.status}"], as_json=as_json)


def correct(
    context: typer.Context,
    ticket: Ticket,
    question: Question,
    text: Annotated[str, typer.Option("--say", "-s", help="The answer in words.")] = "",
    choose: Annotated[
        list[str] | None, typer.Option("--choose", "-c", help="An option; repeat it.")
    ] = None,
    request_id: RequestId = None,
    as_json: Json = False,
) -> None:
    """Change an earlier answer while the interview goes on; an empty one is a skip."""
    told = {"ticket_id": ticket, "question_id": question, "text": text, "selected": choose}
    done = call(context, "edit_answer", told | {"request_id": request_id})
    show(done, [f"[green]✓[/green] {plain(question)} is changed"], as_json=as_json)


VERBS: Final[Mapping[str, Callable[..., None]]] = {
    "answer": answer, "skip": skip, "skip-all": skip_all, "correct": correct,
}  # fmt: skip
"""The commands here, by the word that ``interlock ticket`` knows them by."""
