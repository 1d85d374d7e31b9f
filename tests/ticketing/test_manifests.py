"""Commands against what a repository has: what cannot exist is warned about, nothing else."""

import pytest

from interlock.ticketing.manifests import WARNINGS_MAX, Listing, warnings, why_not
from tests.ticketing.papers import a_bead, an_entry

NODE = Listing(
    frozenset({"package.json", "web/app.ts", "run.sh"}), scripts=frozenset({"test", "lint"})
)
MADE = Listing(frozenset({"Makefile", "go.mod", "a.csproj"}), targets=frozenset({"test"}))


@pytest.mark.parametrize(
    ("command", "listing", "why"),
    [
        ("npm run e2e", NODE, "package.json has no script e2e"),
        ("pnpm --silent run e2e -- --watch", NODE, "package.json has no script e2e"),
        ("CI=1 yarn run e2e", NODE, "package.json has no script e2e"),
        ("npm start", NODE, "package.json has no script start"),
        ("npm test", MADE, "there is no package.json"),
        ("make check", MADE, "the Makefile has no target check"),
        ("make -j 4 X=1 check", MADE, "the Makefile has no target check"),
        ("make test", NODE, "there is no Makefile or makefile or GNUmakefile"),
        ("cargo test", NODE, "there is no Cargo.toml"),
        ("./missing.sh --all", NODE, "there is no file missing.sh"),
        ("python tools/seed.py --all", NODE, "there is no file tools/seed.py"),
        ("bash ./missing.sh", NODE, "there is no file missing.sh"),
        ("poetry run pytest", NODE, "there is no pyproject.toml"),
        ("nox -s tests", MADE, "there is no noxfile.py"),
        ("npm test && cargo test", NODE, "there is no Cargo.toml"),
        ("echo 'open", NODE, "its quotes do not close"),
    ],
)
def test_a_command_that_cannot_exist_is_told(command: str, listing: Listing, why: str) -> None:
    assert list(why_not(command, listing)) == [why]


@pytest.mark.parametrize(
    ("command", "listing"),
    [
        ("npm test", NODE), ("npm run lint", NODE), ("npm install", NODE), ("npx vitest run", NODE),
        ("bun test", NODE), ("yarn vitest", NODE), ("./run.sh", NODE), ("make -j4 test", MADE),
        ("make", MADE), ("make -C sub anything", MADE), ("go test ./...", MADE),
        ("dotnet test", MADE), ("pytest -q tests", NODE), ("python -m unittest", MADE),
        ("npm run anything", Listing(frozenset({"web/package.json"}))), ("", NODE),
        ("cargo test", Listing(frozenset({"a"}), is_whole=False)),
        ("./missing.sh", Listing(frozenset({"a"}), is_whole=False)),
        ("python web/app.ts", NODE), ("python -m pytest", NODE), ("python -c 1.5", NODE),
        ("bash -c './missing.sh'", NODE), ("cd web && ./missing.sh && npm run e2e", NODE),
        ("python /srv/tool.py", NODE), ("node", NODE),
        ("make anything", Listing(frozenset({"Makefile"}))), ("# nothing", NODE),
    ],
)  # fmt: skip
def test_what_may_exist_is_believed(command: str, listing: Listing) -> None:
    assert list(why_not(command, listing)) == []


def test_warnings_name_the_bead_and_files_to_be_made_count() -> None:
    first = {
        **a_bead("one", test_commands=["npm test", "./new.sh"]),
        **an_entry("one", target_files=["new.sh"]),
    }
    second = {**a_bead("two", test_commands=["./other.sh"]), **an_entry("two")}

    assert warnings({"beads": [first, second]}, NODE) == (
        "two: `./other.sh`: there is no file other.sh",
    )


def test_warnings_are_bounded_in_number_and_length() -> None:
    commands = [f"./{'x' * 300}-{n}.sh -a {'y ' * 300}" for n in range(WARNINGS_MAX + 2)]
    found = warnings({"beads": [a_bead("one", test_commands=commands)]}, NODE)

    assert len(found) == WARNINGS_MAX + 1
    assert found[-1] == "And 2 more of the kind."
    assert len(found[0].partition("`: ")[0]) < 220
