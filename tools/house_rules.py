"""The house rules: what no linter knows about this repository, as a list of small functions.

Each rule takes the root of a tree and returns its breaches; none of them changes anything.
``python -m tools.house_rules`` prints the breaches and exits 1 when there are any.
To add a rule: write the function, add it to ``RULES``, plant a breach in its test.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

LINES_MAX = {".py": 400, ".sql": 400, ".css": 400, ".js": 400, ".html": 150}
FUNCTION_LINES_MAX = 50
ADR_LINES_MAX = 60

CODE_FOLDERS = ("src", "tests", "tools")
BANNED_NAMES = frozenset({
    "utils", "util", "helpers", "helper", "common", "base", "manager", "core", "misc",
})  # fmt: skip

# What is special about a workflow is rows of its tables; these floors must not know it.
WORDLESS_FOLDERS = ("kernel", "store", "service")
WORKFLOW_WORDS = frozenset({"plan", "step", "mission", "hop", "ticket", "bead"})
# Settings that a database calls by such a word; they are its names, not ours.
FOREIGN_NAMES = re.compile(r"plan_cache_mode|force_(?:generic|custom)_plan")
# A method that a library calls by such a word, and the one file that calls it.
FOREIGN_METHODS = frozenset({("src/interlock/store/backup.py", "step")})
WORKFLOW_WORDS_WITH_PLURALS = WORKFLOW_WORDS | {f"{word}s" for word in WORKFLOW_WORDS}

# Where statements hold statements.
BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")

KERNEL_MAY_IMPORT = ("interlock.kernel", "interlock.errors")

# What a reader sees of a Python file. The last two are the text of f- and t-strings, which
# newer Pythons hand out as tokens of their own.
SPOKEN = frozenset({"NAME", "STRING", "COMMENT", "FSTRING_MIDDLE", "TSTRING_MIDDLE"})
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
ESCAPE = re.compile(r"\\.")
TODO = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
ISSUE_NUMBER = re.compile(r"#\d+")
# Whatever else a line of a lock might be (an address, an option, a path), it is not this.
LOCK_REQUIREMENT = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[a-z0-9,-]+\])?==[A-Za-z0-9.!+-]+(?: ; [^:/\\]+)?(?: \\)?"
)
LOCK_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


class Breach(NamedTuple):
    """One place where the house is not as it should be."""

    path: Path
    line: int
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path.as_posix()}:{self.line}: {self.rule}: {self.message}"


Rule = Callable[[Path], list[Breach]]


def parses(root: Path) -> list[Breach]:
    """Every Python file can be read; the other rules pass over one that cannot."""
    found = []
    for path in _python_files(root):
        wrong = _outline(path.read_bytes()).wrong
        if wrong is not None:
            line, message = wrong
            found.append(_breach(root, path, line, "parses", f"not Python: {message}"))
    return found


def file_size(root: Path) -> list[Breach]:
    """A file that outgrows its limit hides a noun that wants a file of its own."""
    found = []
    for path in _files(root, CODE_FOLDERS):
        limit = LINES_MAX.get(path.suffix)
        if limit is None:
            continue
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > limit:
            message = f"{lines} lines, at most {limit}: which noun in it wants its own file?"
            found.append(_breach(root, path, limit + 1, "file_size", message))
    return found


def function_size(root: Path) -> list[Breach]:
    """A function fits on a screen, docstring included."""
    found = []
    for path, outline in _outlines(root):
        for line, name, lines in outline.functions:
            if lines > FUNCTION_LINES_MAX:
                message = f"{name} has {lines} lines, at most {FUNCTION_LINES_MAX}"
                found.append(_breach(root, path, line, "function_size", message))
    return found


def module_docstring(root: Path) -> list[Breach]:
    """Every module opens by saying what is here, what is not, and what one must know."""
    return [
        _breach(root, path, 1, "module_docstring", "say in 2 to 6 lines what is here")
        for path, outline in _outlines(root)
        if not outline.is_introduced
    ]


def mirror_test(root: Path) -> list[Breach]:
    """Every module has a test file of the same name in the same place of the other tree."""
    mirrors = ((root / "src" / "interlock", root / "tests"), (root / "tools", root / "tests/tools"))
    found = []
    for sources, tests in mirrors:
        for path in _files_under(sources, ".py"):
            if path.stem in {"__init__", "__main__"}:
                continue
            folder = tests / path.relative_to(sources).parent
            mirror = folder / f"test_{path.stem.lstrip('_')}.py"
            if not mirror.is_file():
                message = f"no {mirror.relative_to(root).as_posix()} beside it"
                found.append(_breach(root, path, 1, "mirror_test", message))
    return found


def banned_name(root: Path) -> list[Breach]:
    """A thing without a noun has no home: no utils, helpers, common and their like."""
    found = []
    for path in _python_files(root):
        for name in path.relative_to(root).with_suffix("").parts:
            banned = BANNED_NAMES.intersection(name.lower().split("_"))
            if banned:
                message = f"{name!r} says nothing ({', '.join(sorted(banned))}): find the noun"
                found.append(_breach(root, path, 1, "banned_name", message))
    return found


def numbered_todo(root: Path) -> list[Breach]:
    """What is left for later stands in an issue, and the comment names its number."""
    return [
        _breach(root, path, line, "numbered_todo", "name the issue, as in TODO(#12)")
        for path in _python_files(root)
        # Splitting into tokens takes long, and few files have the word anywhere.
        if TODO.search(path.read_text(encoding="utf-8", errors="replace"))
        for line, text in _tokens(path, frozenset({"COMMENT"}))
        if TODO.search(text) and not ISSUE_NUMBER.search(text)
    ]


def no_workflow_words(root: Path) -> list[Breach]:
    """Kernel, store and service speak of units and parts, never of one workflow's own things."""
    found = []
    for folder in WORDLESS_FOLDERS:
        top = root / "src" / "interlock" / folder
        for path in _files_under(top):
            for line, text in _name_and_text(top, path):
                for word in _workflow_words(text):
                    if (path.relative_to(root).as_posix(), word) in FOREIGN_METHODS:
                        continue
                    message = f"the word {word!r} belongs to a workflow, not under {folder}/"
                    found.append(_breach(root, path, line, "no_workflow_words", message))
    return found


def kernel_imports(root: Path) -> list[Breach]:
    """The kernel stands on the standard library and on errors, on nothing else."""
    found = []
    for path, outline in _outlines(root):
        if (root / "src" / "interlock" / "kernel") not in path.parents:
            continue
        for line, name in outline.imports:
            is_standard = name.split(".")[0] in sys.stdlib_module_names
            is_ours = any(name == own or name.startswith(f"{own}.") for own in KERNEL_MAY_IMPORT)
            if not is_standard and not is_ours:
                message = f"imports {name}; only the standard library and interlock.errors may be"
                found.append(_breach(root, path, line, "kernel_imports", message))
    return found


def clean_lock(root: Path) -> list[Breach]:
    """A lock holds pinned names and hashes: no address, no index, no path, no option."""
    found = []
    for path in _files_under(root / "requirements", ".txt"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not (LOCK_REQUIREMENT.fullmatch(line) or LOCK_HASH.fullmatch(line)):
                message = f"neither name==version nor a hash: {line.strip()[:60]!r}"
                found.append(_breach(root, path, number, "clean_lock", message))
    return found


def linked_adr(root: Path) -> list[Breach]:
    """Every decision is short and can be found from the list of decisions."""
    folder = root / "docs" / "adr"
    index = folder / "README.md"
    listed = index.read_text(encoding="utf-8") if index.is_file() else ""
    found = []
    for path in _files_under(folder, ".md"):
        if path == index:
            continue
        if f"({path.name})" not in listed:
            message = "not linked from docs/adr/README.md"
            found.append(_breach(root, path, 1, "linked_adr", message))
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > ADR_LINES_MAX:
            message = f"{lines} lines, at most {ADR_LINES_MAX}"
            found.append(_breach(root, path, ADR_LINES_MAX + 1, "linked_adr", message))
    return found


RULES: tuple[Rule, ...] = (
    parses,
    file_size,
    function_size,
    module_docstring,
    mirror_test,
    banned_name,
    numbered_todo,
    no_workflow_words,
    kernel_imports,
    clean_lock,
    linked_adr,
)


def breaches(root: Path) -> list[Breach]:
    """Return what all rules find under ``root``, ordered by place."""
    return sorted(breach for rule in RULES for breach in rule(root))


def main() -> int:
    """Print every breach in the present folder; return the exit code."""
    found = breaches(Path.cwd())
    for breach in found:
        print(breach)
    if found:
        print(f"house rules broken: {len(found)}")
    return 1 if found else 0


def _breach(root: Path, path: Path, line: int, rule: str, message: str) -> Breach:
    return Breach(path.relative_to(root), line, rule, message)


def _files_under(top: Path, suffix: str = "") -> Iterator[Path]:
    for path in sorted(top.rglob(f"*{suffix}")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def _files(root: Path, folders: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from _files_under(root / folder)


def _python_files(root: Path) -> Iterator[Path]:
    return (path for path in _files(root, CODE_FOLDERS) if path.suffix == ".py")


class Outline(NamedTuple):
    """What the rules want to know of a Python file; its tree would fill the memory."""

    wrong: tuple[int, str] | None = None
    is_introduced: bool = False
    functions: tuple[tuple[int, str, int], ...] = ()
    imports: tuple[tuple[int, str], ...] = ()


def _outlines(root: Path) -> Iterator[tuple[Path, Outline]]:
    for path in _python_files(root):
        outline = _outline(path.read_bytes())
        if outline.wrong is None:  # else told by `parses`
            yield path, outline


@cache
def _outline(source: bytes) -> Outline:
    """Read a file once for all rules; the same text always has the same outline."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return Outline((error.lineno or 1, error.msg))
    statements = list(_statements(tree))
    functions = (
        (one.lineno, one.name, (one.end_lineno or one.lineno) - one.lineno + 1)
        for one in statements
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    introduced = bool(ast.get_docstring(tree))
    return Outline(None, introduced, tuple(functions), tuple(_imports(statements)))


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield every statement, and what blocks hang on; expressions hold no statement."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in BLOCKS:
            waiting += getattr(node, name, ())


def _tokens(path: Path, kinds: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield line and text of the file's tokens of these kinds, a line of text at a time."""
    try:
        for token in tokenize.tokenize(io.BytesIO(path.read_bytes()).readline):
            if tokenize.tok_name[token.type] in kinds:
                for offset, text in enumerate(token.string.splitlines()):
                    yield token.start[0] + offset, text
    except (SyntaxError, tokenize.TokenError):
        return  # told by `parses`


def _name_and_text(top: Path, path: Path) -> Iterator[tuple[int, str]]:
    """Yield what a reader sees of a file: its name, then its text with line numbers."""
    yield 1, path.relative_to(top).as_posix()
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), start=1)
    elif _workflow_words(text):  # anywhere at all; splitting into tokens takes long
        yield from _tokens(path, SPOKEN)


def _words(text: str) -> set[str]:
    """Split snake_case, CamelCase and prose into lower-case words."""
    return {word.lower() for word in WORD.findall(ESCAPE.sub(" ", text))}


def _workflow_words(text: str) -> set[str]:
    return _words(FOREIGN_NAMES.sub("", text)) & WORKFLOW_WORDS_WITH_PLURALS


def _imports(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


if __name__ == "__main__":
    sys.exit(main())
