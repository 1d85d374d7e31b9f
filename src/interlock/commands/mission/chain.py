"""Validate a chain of tool steps, and say how it is laid. Pure: nothing is read or written here.

All that is wrong is found at once, each with its step, its field and how to mend it. What is
right comes out as the rows that the rules take: parameters and results mapped to assets by id,
also to the scratch that will only be made with the chain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, NamedTuple

from interlock.commands.mission.mapping import (
    Json,
    NoSuchPath,
    at_path,
    is_unlike,
    names_of,
    only_word,
    part_of,
    required_of,
    schema_at,
    types_told,
    wrong_with,
)
from interlock.commands.mission.wrong import CHAIN, Wrong
from interlock.store.rows import part_id
from interlock.toolbox.tool import Described

SOURCES: Final = ("asset", "step", "literal")
TARGETS: Final = ("asset", "scratch", "discard")


class Asset(NamedTuple):
    """An asset that a chain may name."""

    id: str
    name: str
    status: str
    schema: Json | None = None
    # What it holds, where it is ready and that is known.
    value: object = None
    is_known: bool = False


class Row(NamedTuple):
    """A step of a chain, as it was submitted or as it is stored.

    A submitted row with nothing but a ``step_id`` stands for one that is there already.
    """

    tool: str = ""
    description: str = ""
    parameters: Mapping[str, Json] = {}
    results: Mapping[str, Json] = {}
    step_id: str = ""
    deadline_s: int | None = None


class Ground(NamedTuple):
    """What a chain is laid on."""

    unit: str
    # The number that the next part of the unit will have.
    first: int
    assets: Mapping[str, Asset]
    inputs: tuple[str, ...]
    output: str | None
    # What the hop has completed, and what of it is unfinished, in their order.
    done: tuple[Row, ...]
    open: tuple[Row, ...]
    tools: Mapping[str, Described]
    resources: frozenset[str]
    # How many seconds a tool may run at most.
    deadline_s_max: int = 3600


@dataclass(slots=True)
class Laid:
    """A chain as the rules take it, and all that is wrong with it."""

    rows: list[dict[str, object]] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)
    keeps: bool = False
    # The scratch that is made with the chain: its name by its id.
    scratch: dict[str, str] = field(default_factory=dict)


def lay(ground: Ground, rows: Sequence[Row]) -> Laid:
    """Validate a submitted chain."""
    return _Laying(ground, Laid()).lay(rows)


def check(ground: Ground) -> list[Wrong]:
    """Validate the chain that a hop has, as it stands; its inputs must be ready, too."""
    rows = [Row(step_id=one.step_id) for one in (*ground.done, *ground.open)]
    wrong = lay(ground, rows).wrong
    for name in ground.inputs:
        asset = ground.assets.get(name)
        if asset is None or asset.status != "READY":
            stands = "gone" if asset is None else asset.status
            message = f"The input {_called(asset, name)} of the hop is {stands}, not READY."
            wrong.append(Wrong(CHAIN, "inputs", message, f"Supply {name} with set_asset."))
    return wrong


def _called(asset: Asset | None, name: str) -> str:
    return name if asset is None or not asset.name else f"{asset.name} ({name})"


@dataclass(slots=True)
class _Laying:
    ground: Ground
    laid: Laid
    # By asset what a step is going to make of it; such an asset is there for later steps.
    made: dict[str, Json | None] = field(default_factory=dict)
    # What steps have made that are done; whether it is still there, its status says.
    had: set[str] = field(default_factory=set)
    # By the number of a row: its outputs, and the assets they go to.
    outputs: dict[int, dict[str, str]] = field(default_factory=dict)
    # By scratch of this chain, its place among the new rows.
    places: dict[str, int] = field(default_factory=dict)
    number: int = 0
    next_part: int = 0

    def lay(self, rows: Sequence[Row]) -> Laid:
        self.next_part = self.ground.first
        known = {one.step_id: one for one in (*self.ground.done, *self.ground.open)}
        self._check_order([row.step_id for row in rows])
        done = {one.step_id for one in self.ground.done}
        named = {row.step_id for row in rows}
        for one in self.ground.done:
            if one.step_id not in named:
                self._note(one, 0, is_done=True)
        for number, row in enumerate(rows, 1):
            self.number = number
            if not row.step_id:
                self._new(row)
            elif row.step_id in known:
                self._old(known[row.step_id], is_done=row.step_id in done)
        self._check_whole(rows)
        return self.laid

    def _say(self, where: str, message: str, fix: str, step: int | None = None) -> None:
        number = self.number if step is None else step
        self.laid.wrong.append(Wrong(number, where, message, fix))

    # -- the chain as a whole ------------------------------------------------------------------

    def _check_order(self, ids: list[str]) -> None:
        """Check that old steps stand first: all that are done or none, all the others or none."""
        done = [one.step_id for one in self.ground.done]
        waiting = [one.step_id for one in self.ground.open]
        old = [name for name in ids if name]
        self.laid.keeps = bool(waiting) and set(waiting) <= set(old)
        is_first = ids[: len(old)] == old
        if not is_first or old not in ([], done, waiting, [*done, *waiting]):
            self._say(
                "step_id", "Steps that are there already do not stand first, whole and unchanged.",
                f"Name first {', '.join([*done, *waiting]) or 'nothing'}, or none of them.", CHAIN,
            )  # fmt: skip

    def _check_whole(self, rows: Sequence[Row]) -> None:
        if not self.laid.keeps and not any(not row.step_id for row in rows):
            self._say("steps", "The chain has no tool step to run.", "Add at least one.", CHAIN)
        output = self.ground.output
        if output is not None and output not in self.made and output not in self.had:
            called = _called(self.ground.assets.get(output), output)
            self._say(
                "output", f"No step makes {called}, the output of the hop.",
                f'Map a result to {{"asset": "{output}"}}.', CHAIN,
            )  # fmt: skip

    # -- one step ------------------------------------------------------------------------------

    def _note(self, row: Row, number: int, *, is_done: bool) -> None:
        """Take into account what a step makes that is there already."""
        goes = {name: str(told["asset"]) for name, told in row.results.items() if "asset" in told}
        self.outputs[number] = goes
        if is_done:
            self.had.update(goes.values())
            return
        tool = self.ground.tools.get(row.tool)
        for name, asset in goes.items():
            self.made[asset] = None if tool is None else part_of(tool.result, name)

    def _old(self, row: Row, *, is_done: bool) -> None:
        if not is_done:
            tool = self._tool(row.tool)
            self._parameters(row, tool)
        self._note(row, self.number, is_done=is_done)

    def _new(self, row: Row) -> None:
        tool = self._tool(row.tool)
        parameters = self._parameters(row, tool)
        self.next_part += 1
        results = self._results(row, tool)
        uses = dict.fromkeys(str(told["asset"]) for told in parameters.values() if "asset" in told)
        makes = [str(told["asset"]) for told in results.values() if "asset" in told]
        takes = [self.places[name] for name in uses if name in self.places]
        laid: dict[str, object] = {
            "tool": row.tool, "description": row.description, "parameter_mapping": parameters,
            "result_mapping": results, "resources": () if tool is None else tool.resources,
            "uses": tuple(name for name in uses if name not in self.places),
            "takes": tuple(takes), "makes": tuple(m for m in makes if m not in self.laid.scratch),
            "discard": not makes, "deadline_s": self._deadline(row, tool),
        }  # fmt: skip
        for name in makes:
            if name in self.laid.scratch:
                self.places[name] = len(self.laid.rows)
        self.laid.rows.append(laid)

    def _tool(self, name: str) -> Described | None:
        tool = self.ground.tools.get(name)
        if tool is None:
            nearest = get_close_matches(name[:80], self.ground.tools, n=1)
            fix = f"Did you mean {nearest[0]}?" if nearest else "mission_context lists the tools."
            self._say("tool", f"There is no tool {name[:80]!r}.", fix)
            return None
        for one in tool.resources:
            if one not in self.ground.resources:
                message = f"{name} needs {one}, which is not configured."
                self._say("resources", message, "Configure it, or use another tool.")
        return tool

    def _deadline(self, row: Row, tool: Described | None) -> int | None:
        """Return how long a step may run, as it says, or its tool; none says nothing."""
        most = self.ground.deadline_s_max
        if row.deadline_s is not None and row.deadline_s > most:
            message = f"It asks for {row.deadline_s} s, and a tool may run for {most} s at most."
            self._say("deadline_s", message, f"Ask for {most} or less, or do it in several steps.")
        told = row.deadline_s or (None if tool is None else tool.deadline_s)
        return None if told is None else min(told, most)

    # -- parameters ----------------------------------------------------------------------------

    def _parameters(self, row: Row, tool: Described | None) -> dict[str, Json]:
        schema: Json = {} if tool is None else tool.parameters
        known = names_of(schema)
        for name in required_of(schema):
            if name not in row.parameters:
                message = f"{row.tool} needs {name}."
                fix = "Map it to an asset, to an earlier step or to a literal."
                self._say(f"parameter_mapping.{name}", message, fix)
        found: dict[str, Json] = {}
        for name, told in row.parameters.items():
            where = f"parameter_mapping.{name}"
            if known is not None and name not in known:
                fix = f"It takes {', '.join(known) or 'nothing'}."
                self._say(where, f"{row.tool} has no parameter {name}.", fix)
            source = self._source(where, told)
            if source is not None:
                self._fit(where, source, part_of(schema, name))
                found[name] = source
        return found

    def _source(self, where: str, told: Json) -> Json | None:
        """Return where a parameter comes from, by the id of an asset or as a literal."""
        word = only_word(told, SOURCES)
        if word == "literal":
            return {"literal": told["literal"]}
        if not word:
            fix = 'Say one of {"asset": id}, {"step": number} or {"literal": value}.'
            self._say(where, "It does not say where the value comes from.", fix)
            return None
        name = self._of_step(where, told) if word == "step" else self._of_asset(where, told)
        path = told.get("path")
        if name is None or path in (None, ""):
            return None if name is None else {"asset": name}
        return {"asset": name, "path": str(path)}

    def _of_step(self, where: str, told: Json) -> str | None:
        number, wanted = told["step"], told.get("output")
        outputs = self.outputs.get(number) if isinstance(number, int) else None
        if outputs is None or number == 0:
            fix = (
                f"Name one from 1 to {self.number - 1}." if self.number > 1 else "It is the first."
            )
            self._say(where, f"{str(number)[:20]} is no earlier step of the chain.", fix)
            return None
        if wanted is None and len(outputs) == 1:
            return next(iter(outputs.values()))
        found = outputs.get(str(wanted))
        if found is None:
            fix = f"Set output to one of {', '.join(outputs)}." if outputs else "Map its result."
            self._say(where, f"Step {number} keeps no such output.", fix)
        return found

    def _of_asset(self, where: str, told: Json) -> str | None:
        name = str(told["asset"])
        asset = self.ground.assets.get(name)
        if asset is None and name not in self.made:
            self._say(where, *self._nobody(name))
            return None
        if asset is not None and asset.status != "READY" and name not in self.made:
            message = (
                f"The asset {_called(asset, name)} is {asset.status} and no earlier step makes it."
            )
            self._say(where, message, "Supply it with set_asset, or make it in an earlier step.")
            return None
        return name

    def _nobody(self, name: str) -> tuple[str, str]:
        """Say that nothing has this id; whoever sent a name is told the id that goes with it."""
        for one in self.ground.assets.values():
            if one.name == name:
                return (
                    f"{name[:80]!r} is the name of an asset, not its id.",
                    f'Say {{"asset": "{one.id}"}}.',
                )
        return f"There is no asset {name[:80]!r}.", "Name one that mission_status lists, by its id."

    def _fit(self, where: str, source: Json, wanted: Json | None) -> None:
        """Check that a value is, or can be, what the tool takes."""
        if "literal" in source:
            self._all(where, wrong_with(source["literal"], wanted), "Send a literal that fits.")
            return
        name, path = str(source["asset"]), str(source.get("path", ""))
        asset = self.ground.assets.get(name)
        if name not in self.made and asset is not None and asset.is_known:
            try:
                value = at_path(asset.value, path)
            except NoSuchPath:
                message = f"{_called(asset, name)} holds nothing at {path[:80]!r}."
                self._say(where, message, "Name a path that leads somewhere: words and dots.")
                return
            self._all(where, wrong_with(value, wanted), "Map an asset that fits, or a path in it.")
            return
        given = self.made.get(name) or (None if asset is None else asset.schema)
        given = schema_at(given, path)
        if is_unlike(given, wanted):
            message = f"It is {types_told(given)}, and {types_told(wanted)} is wanted."
            self._say(where, message, "Map what fits, or a path in it.")

    def _all(self, where: str, wrong: list[str], fix: str) -> None:
        for one in wrong:
            self._say(where, one.replace("the answer", "the value"), fix)

    # -- results -------------------------------------------------------------------------------

    def _results(self, row: Row, tool: Described | None) -> dict[str, Json]:
        schema: Json = {} if tool is None else tool.result
        known = names_of(schema)
        if not row.results:
            fix = 'Map a result to {"asset": id}, {"scratch": true} or {"discard": true}.'
            self._say("result_mapping", "It does not say what becomes of the result.", fix)
        found: dict[str, Json] = {}
        outputs = self.outputs[self.number] = {}
        for name, told in row.results.items():
            where = f"result_mapping.{name}"
            if known is not None and name not in known:
                fix = f"It returns {', '.join(known) or 'nothing'}."
                self._say(where, f"{row.tool} returns no {name}.", fix)
            target = self._target(where, told, part_of(schema, name), outputs)
            if target is None:
                continue
            found[name] = target
            if "asset" in target:
                outputs[name] = str(target["asset"])
        for name, asset in outputs.items():
            self.made[asset] = part_of(schema, name)
        self._scratch(outputs)
        return found

    def _target(
        self, where: str, told: Json, given: Json | None, outputs: Mapping[str, str]
    ) -> Json | None:
        word = only_word(told, TARGETS)
        if word == "discard" and told["discard"] is True:
            return {"discard": True}
        if word == "scratch" and told["scratch"] is True:
            return {"asset": part_id(self.ground.unit, self.next_part)}
        name = str(told.get("asset"))
        asset = self.ground.assets.get(name)
        if word == "asset" and asset is None:
            self._say(where, *self._nobody(name))
            return None
        if asset is None or word != "asset":
            fix = 'Say one of {"asset": id}, {"scratch": true} or {"discard": true}.'
            self._say(where, "It goes nowhere.", fix)
            return None
        if name in outputs.values():
            self._say(where, f"Two results go to {name}.", "Give each an asset of its own.")
        if is_unlike(given, asset.schema):
            unlike = f"{_called(asset, name)} is {types_told(asset.schema)}"
            self._say(where, f"It is {types_told(given)}; {unlike}.", "Map it to one that fits.")
        return {"asset": name}

    def _scratch(self, outputs: Mapping[str, str]) -> None:
        """Check that a step has one scratch at most, and note it."""
        own = part_id(self.ground.unit, self.next_part)
        named = [name for name, asset in outputs.items() if asset == own]
        if not named:
            return
        if len(outputs) > 1:
            message = "A step has one scratch at most, and none beside an asset that it makes."
            self._say("result_mapping", message, "Discard the others, or give them assets.")
        self.laid.scratch[own] = named[0]
        self.next_part += 1
