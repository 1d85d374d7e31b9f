"""Where a setting comes from, what is refused, and that no secret is ever printed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.config import ConfigError, Settings, load

MIB = 1024 * 1024
PASSWORD = "s3cret"  # noqa: S105 (it has to be looked for)
DATABASE = f"postgresql://app:{PASSWORD}@db.example:5432/interlock"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with nothing in it but a data folder."""
    return {"INTERLOCK_DATA": str(tmp_path)}


def write_file(environ: Mapping[str, str], text: str) -> Path:
    path = Path(environ["INTERLOCK_DATA"]) / "interlock.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refuse(flags: Mapping[str, object], environ: Mapping[str, str]) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(flags, environ)
    return caught.value


def test_with_nothing_set_the_defaults_hold(home: dict[str, str], tmp_path: Path) -> None:
    settings = load({}, home)

    assert settings == Settings(
        data=tmp_path,
        database="",
        server="",
        token="",
        host="127.0.0.1",
        hosts="",
        port=7400,
        synchronous="full",
        allow_degraded=False,
        webhooks_private=False,
        lease_ms=30 * 60 * 1000,
        body_bytes_max=MIB,
        artifact_bytes_max=32 * MIB,
        call_log_days=30,
        model_url="",
        model_kind="openai",
        model_name="",
        model_key="",
        embeddings_url="",
        embeddings_name="",
        embeddings_key="",
        oidc_issuer="",
        oidc_client_id="",
        oidc_client_secret="",
        oidc_audience="",
    )
    assert settings.durability == "full"


def test_a_flag_beats_the_environment_beats_the_file_beats_the_default(
    home: dict[str, str],
) -> None:
    assert load({}, home).port == 7400

    write_file(home, "port = 7401")
    assert load({}, home).port == 7401

    home["INTERLOCK_PORT"] = "7402"
    assert load({}, home).port == 7402
    assert load({"port": 7403}, home).port == 7403


def test_a_flag_not_given_and_an_empty_variable_set_nothing(home: dict[str, str]) -> None:
    write_file(home, "port = 7401")
    home["INTERLOCK_PORT"] = ""

    assert load({"port": None}, home).port == 7401


def test_everything_but_the_folder_can_stand_in_the_file(home: dict[str, str]) -> None:
    write_file(
        home,
        f"""
        database = "{DATABASE}"
        server = "https://work.example/"
        token = "il_0123"
        host = "0.0.0.0"
        hosts = "agents.example, [2001:db8::1]"
        port = 1
        synchronous = "normal"
        allow_degraded = true
        webhooks_private = true
        lease_ms = 5000
        body_bytes_max = 2048
        artifact_bytes_max = 4096
        call_log_days = 7
        model_url = "https://models.example/v1/"
        model_kind = "Anthropic"
        model_name = "big"
        embeddings_url = "http://127.0.0.1:9/v1"
        embeddings_name = "small"
        """,
    )

    assert load({}, home) == Settings(
        data=Path(home["INTERLOCK_DATA"]),
        database=DATABASE,
        server="https://work.example",
        token="il_0123",  # noqa: S106 (opens nothing)
        host="0.0.0.0",  # noqa: S104 (a value, nothing listens)
        hosts="agents.example,[2001:db8::1]",
        port=1,
        synchronous="normal",
        allow_degraded=True,
        webhooks_private=True,
        lease_ms=5000,
        body_bytes_max=2048,
        artifact_bytes_max=4096,
        call_log_days=7,
        model_url="https://models.example/v1",
        model_kind="anthropic",
        model_name="big",
        embeddings_url="http://127.0.0.1:9/v1",
        embeddings_name="small",
    )


def test_the_data_folder_cannot_be_set_in_its_own_file(home: dict[str, str]) -> None:
    write_file(home, 'data = "/elsewhere"')

    error = refuse({}, home)

    assert "cannot be set in a file that lies in it" in error.message
    assert "INTERLOCK_DATA" in error.fix


def test_all_mistakes_are_told_at_once(home: dict[str, str]) -> None:
    write_file(home, 'lease_ms = "soon"\nprot = 1\nbody_bytes_max = true')
    home |= {"INTERLOCK_DATABSE": "x", "INTERLOCK_SYNCHRONOUS": "mostly"}

    error = refuse({"port": 70000, "colour": "red"}, home)

    assert {(mistake.name, mistake.wrong) for mistake in error.mistakes} == {
        ("port", "70000 is out of range"),
        ("colour", "there is no such setting"),
        ("databse", "there is no such setting"),
        ("synchronous", "'mostly' is not one of the choices"),
        ("lease_ms", "'soon' is not a whole number"),
        ("prot", "there is no such setting"),
        ("body_bytes_max", "True is not a whole number"),
    }
    assert len(error.message.splitlines()) == len(error.fix.splitlines()) == 7
    assert (error.code, error.http) == ("CONFIG_ERROR", 500)


def test_a_mistake_names_the_place_it_was_made_in_and_what_would_be_right(
    home: dict[str, str],
) -> None:
    path = write_file(home, "prot = 7401")
    home |= {"INTERLOCK_DATABSE": DATABASE}

    error = refuse({"port": "many"}, home)

    assert error.message.splitlines() == [
        "--port: 'many' is not a whole number",
        "INTERLOCK_DATABSE: there is no such setting",
        f"prot in {path}, line 1: there is no such setting",
    ]
    assert error.fix.splitlines() == [
        "--port: say a whole number from 0 to 65535",
        "INTERLOCK_DATABSE: did you mean INTERLOCK_DATABASE?",
        f"prot in {path}, line 1: did you mean port?",
    ]


def test_a_name_like_no_other_is_answered_with_all_there_are(home: dict[str, str]) -> None:
    error = refuse({}, home | {"INTERLOCK_ZZZZZZ": "1"})

    assert "data, database, server, profile, token, host, hosts, port" in error.fix


def test_variables_of_other_programs_are_none_of_our_business(home: dict[str, str]) -> None:
    assert load({}, home | {"PORT": "x", "OTHER_PORT": "y"}).port == 7400


def test_what_a_server_is_told_can_be_set(home: dict[str, str]) -> None:
    write_file(
        home,
        """
        rate_principal = 0
        rate_tenant = 5
        log = "text"
        log_level = "debug"
        traces_url = "http://127.0.0.1:4318/"
        metrics_token = "m"
        proxies = "10.0.0.7, 10.1.2.3/16,::1"
        processes = 4
        drain_s = 9
        """,
    )

    assert load({}, home) == Settings(
        data=Path(home["INTERLOCK_DATA"]),
        rate_principal=0,
        rate_tenant=5,
        log="text",
        log_level="debug",
        traces_url="http://127.0.0.1:4318",
        metrics_token="m",  # noqa: S106 (opens nothing)
        proxies="10.0.0.7/32,10.1.0.0/16,::1/128",
        processes=4,
        drain_s=9,
    )
    assert "metrics_token" not in repr(load({}, home))


def test_a_file_that_is_not_text_is_refused(home: dict[str, str]) -> None:
    write_file(home, "").write_bytes(b"token = '\xff'")

    assert "is not text in UTF-8" in refuse({}, home).message


def test_a_file_that_cannot_be_read_is_refused(home: dict[str, str]) -> None:
    Path(home["INTERLOCK_DATA"], "interlock.toml").mkdir()

    assert "cannot be read (Is a directory)" in refuse({}, home).message


def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "taken"
    path.touch()

    assert "is a file" in refuse({"data": path}, {}).message


@pytest.mark.parametrize("value", ["", "  ", 7, "\0"])
def test_a_data_folder_that_is_no_path_is_refused(value: object) -> None:
    assert [mistake.name for mistake in refuse({"data": value}, {}).mistakes] == ["data"]


def test_a_data_folder_under_home_may_be_written_short(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))

    assert load({"data": "~/work"}, {}).data == tmp_path / "work"


def test_an_account_without_home_must_say_where_the_data_lies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lost() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", lost)

    assert "this account has no home folder" in refuse({}, {}).message


@pytest.mark.parametrize("value", ["normal", "off", "OFF"])
def test_a_weak_setting_is_refused_unless_the_loss_is_accepted(
    home: dict[str, str], value: str
) -> None:
    home["INTERLOCK_SYNCHRONOUS"] = value

    error = refuse({}, home)
    accepted = load({}, home | {"INTERLOCK_ALLOW_DEGRADED": "yes"})

    assert "may lose acknowledged work" in error.message
    assert "INTERLOCK_ALLOW_DEGRADED=yes" in error.fix
    assert accepted.durability == "degraded"


def test_accepting_a_loss_alone_loses_nothing(home: dict[str, str]) -> None:
    assert load({"allow_degraded": True}, home).durability == "full"


@pytest.mark.parametrize(
    "url",
    [
        DATABASE,
        "postgres://localhost/interlock",
        "postgresql:///interlock?host=/run/postgresql",
        "postgresql://app@one:5432,two:5433/interlock?target_session_attrs=read-write",
        "postgresql://app@[::1]:5432/interlock",
    ],
)
def test_an_address_of_postgresql_is_taken_as_it_is(home: dict[str, str], url: str) -> None:
    assert load({"database": url}, home).database == url


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://app:{PASSWORD}@db/interlock",
        f"postgresql:app:{PASSWORD}@db/interlock",
        f"postgresql://app:{PASSWORD}@db:port/interlock",
        f"postgresql://app:{PASSWORD}@[::1/interlock",
        f"postgresql://app:{PASSWORD}@db",
        f"postgresql://app:12/{PASSWORD}@db/interlock",
        f"postgresql://app:12?{PASSWORD}@db/interlock",
        f"postgresql://app:12#{PASSWORD}@db/interlock",
        f"app:{PASSWORD}",
        5432,
    ],
)
def test_a_wrong_address_is_refused_without_showing_any_of_it(
    home: dict[str, str], url: object
) -> None:
    error = refuse({"database": url}, home)

    assert [mistake.name for mistake in error.mistakes] == ["database"]
    assert PASSWORD not in error.message + error.fix
    assert "postgresql://user:password@host:5432/name" in error.fix


@given(st.text(st.characters(codec="ascii", min_codepoint=33), min_size=4))
def test_no_password_is_shown_whatever_is_in_it(password: str) -> None:
    password += "S3CRET"
    url = f"postgresql://app:{password}@db/interlock"
    try:
        shown = load({"data": "/nowhere", "database": url}, {}).database_shown
    except ConfigError as error:
        shown = error.message + error.fix

    assert "S3CRET" not in shown


def test_what_is_shown_of_a_database_has_neither_password_nor_options(tmp_path: Path) -> None:
    there = Settings(data=tmp_path, database=f"{DATABASE}?password={PASSWORD}")
    here = Settings(data=tmp_path)

    assert there.database_shown == "postgresql://app@db.example:5432/interlock"
    assert here.database_shown == str(here.sqlite_file) == str(tmp_path / "interlock.db")


def test_neither_token_nor_password_is_in_the_repr(tmp_path: Path) -> None:
    bare = Settings(data=tmp_path, database=DATABASE, token=PASSWORD)
    bare = replace(bare, oidc_client_secret=PASSWORD)
    shown = repr(replace(bare, model_key=PASSWORD, embeddings_key=PASSWORD))

    assert PASSWORD not in shown


def test_an_endpoint_without_a_model_and_an_unknown_kind_are_refused(home: dict[str, str]) -> None:
    urls = {"model_url": "http://h/v1", "embeddings_url": "http://h/v1", "model_kind": "other"}
    error = refuse({**urls, "model_key": f"a {PASSWORD}", "embeddings_name": "a b"}, home)

    assert [mistake.name for mistake in error.mistakes] == [
        "model_kind", "model_key", "embeddings_name", "model_name", "embeddings_name",
    ]  # fmt: skip
    assert "set INTERLOCK_MODEL_NAME, too" in error.fix
    assert PASSWORD not in error.message


def test_a_provider_that_does_not_know_us_is_refused(home: dict[str, str]) -> None:
    error = refuse(
        {"oidc_issuer": "https://id.example", "oidc_client_secret": f"a {PASSWORD}"}, home
    )

    assert [mistake.name for mistake in error.mistakes] == ["oidc_client_secret", "oidc_client_id"]
    assert "set INTERLOCK_OIDC_CLIENT_ID, too" in error.fix
    assert PASSWORD not in error.message


@pytest.mark.parametrize(
    "url",
    ["work.example", "ftp://work.example", "http://", "http://[::1", "http://host:99999", 1,
     f"https://ada:{PASSWORD}@work.example", f"https://work.example?token={PASSWORD}"],
)  # fmt: skip
def test_a_wrong_server_is_refused(home: dict[str, str], url: object) -> None:
    error = refuse({"server": url}, home)

    assert [mistake.name for mistake in error.mistakes] == ["server"]
    assert PASSWORD not in error.message + error.fix


def test_a_server_is_known_by_where_it_listens_and_by_its_further_names() -> None:
    assert Settings(Path()).host_names == ("127.0.0.1",)
    assert Settings(Path(), host="::1", hosts="a.example,b.example").host_names == (
        "[::1]", "a.example", "b.example",
    )  # fmt: skip


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "[::]"])  # noqa: S104 (nothing listens)
def test_an_address_that_means_every_one_is_no_name(host: str) -> None:
    assert Settings(Path(), host=host).host_names == ()
