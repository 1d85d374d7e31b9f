"""What most tests begin with, made once in a process: a migrated SQLite file, prepared workflows.

Migrating and preparing take longer than most stories do. How they are done is tried elsewhere:
tests/store/test_migrate.py and tests/service/test_engine.py.
"""

from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from interlock.kernel.workflow import Workflow
from interlock.service.engine import Running, running
from interlock.store.migrate import migrate_sqlite
from interlock.store.sqlite.connect import connect
from interlock.workflows.built_in import WORKFLOWS
from tests.still import START


def ready_file(path: Path) -> Path:
    """Put a file with all tables and no rows at a place, unless there is one."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_migrated())
    return path


def ready_flows(flows: Mapping[str, Workflow] = WORKFLOWS) -> Mapping[str, Running]:
    """Return workflows prepared for running; the built-in ones are nobody's to change."""
    return _built_in() if flows is WORKFLOWS else running(flows)


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "interlock.db"
        with closing(connect(path, "off")) as connection:
            migrate_sqlite(connection, START)
        return path.read_bytes()


@cache
def _built_in() -> Mapping[str, Running]:
    return running(WORKFLOWS)
